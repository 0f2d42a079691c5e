"""What the environment says about reaching a bucket, in the words that the clients know.

In: an environment. Out: settings for `obstore` and for Lance alike. Never reads a file, never asks a server.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from comind.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ENDPOINTS", "InvalidStoreError", "client_settings"]


class InvalidStoreError(UsageError):
    """What was given as a store cannot be one, or a setting of its server cannot be meant."""

    def __init__(self, shown: str, problem: str) -> None:
        self.shown, self.problem = shown, problem
        super().__init__(f"{shown} {problem}; a store is a directory, s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX")


# Variables that both clients (`obstore` and Lance) take by their lower-case name. Values are read from the mapping that
# was handed in, so that a process can hold two identities; what is not set there the clients look up by themselves.
_VARIABLES = {
    "s3": (
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_SKIP_SIGNATURE", "AWS_REQUEST_PAYER",
        "AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_ROLE_SESSION_NAME",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        "AWS_SERVER_SIDE_ENCRYPTION", "AWS_SSE_KMS_KEY_ID", "AWS_METADATA_ENDPOINT",
    ),
    "gs": ("GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_SKIP_SIGNATURE"),
    "az": (
        "AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_TOKEN",
        "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE", "AZURE_USE_AZURE_CLI",
        "AZURE_MSI_ENDPOINT",
    ),
}  # fmt: skip
# Several spellings of one setting, the first that is set wins; both clients know the name on the left.
_SPELLINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "s3": {
        "aws_endpoint": ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
        "aws_region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
    },
    "gs": {"google_base_url": ("GOOGLE_BASE_URL",)},
    "az": {"azure_storage_endpoint": ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT")},
}
ENDPOINTS = {"s3": "aws_endpoint", "gs": "google_base_url", "az": "azure_storage_endpoint"}


def client_settings(scheme: str, env: Mapping[str, str]) -> dict[str, str]:
    """Collect what an environment says about reaching a kind of store.

    Args:
        scheme: s3, gs or az.
        env: the environment.

    Returns:
        Settings by the names that both clients know; ``allow_http`` where an endpoint is set.

    Raises:
        InvalidStoreError: an endpoint is not a URL.

    >>> client_settings("s3", {"AWS_ENDPOINT_URL": "http://127.0.0.1:8333"})["allow_http"]
    'true'
    """
    found = {name.lower(): env[name] for name in _VARIABLES[scheme] if env.get(name)}
    for setting, variables in _SPELLINGS[scheme].items():
        if variable := next((name for name in variables if env.get(name)), None):
            found[setting] = env[variable]
            if setting == ENDPOINTS[scheme]:
                _check_endpoint(variable, env[variable])
    if endpoint := found.get(ENDPOINTS[scheme]):
        found["allow_http"] = str(endpoint.lower().startswith("http://")).lower()
        if scheme == "s3":  # servers of one's own answer at <endpoint>/<bucket>, not at <bucket>.<endpoint>
            found.setdefault("aws_virtual_hosted_style_request", "false")
    return found


def _check_endpoint(variable: str, value: str) -> None:
    # The client does not raise for an endpoint that is no URL: it panics.
    try:
        parts = urlsplit(value)
        ok = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc and (parts.port or 1) > 0
    except ValueError:
        ok = False
    if not ok or re.search(r"\s", value):
        raise InvalidStoreError(variable, "is not a URL like http://host:port")
