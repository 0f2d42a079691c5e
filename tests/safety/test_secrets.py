"""Secrets are made from pieces, so that none stands in the repository."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.ids import derived_id, new_id
from comind.safety import scrub
from comind.safety.secrets import secret_findings
from tests.builders import records as build

ALPHANUMERIC = string.ascii_letters + string.digits
URL_SAFE = ALPHANUMERIC + "-_"
HEX = "0123456789abcdef"
BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def drawn(alphabet, length, seed=7):
    return "".join(random.Random(f"{alphabet}{length}{seed}").choices(alphabet, k=length))


def _planted(seed, pieces=None):
    def some(alphabet, length):
        piece = drawn(alphabet, length, seed)
        if pieces is not None:
            pieces.append(piece)
        return piece

    return {
        "AWS key id": "AK" + "IA" + some(BASE32, 16),
        "AWS temporary key id": "AS" + "IA" + some(BASE32, 16),
        "GitHub classic": "gh" + "p_" + some(ALPHANUMERIC, 36),
        "GitHub app": "gh" + "s_" + some(ALPHANUMERIC, 36),
        "GitHub fine-grained": "github" + "_pat_" + some(ALPHANUMERIC, 22) + "_" + some(ALPHANUMERIC, 59),
        "GitLab": "gl" + "pat-" + some(ALPHANUMERIC, 20),
        "GitLab runner": "gl" + "rt-" + some(ALPHANUMERIC, 20),
        "Slack bot": "xo" + "xb-" + some(string.digits, 12) + "-" + some(string.digits, 13) + "-" + some(ALPHANUMERIC, 24),
        "Slack webhook": "https://hooks.slack.com/services/T" + some(BASE32, 8) + "/B" + some(BASE32, 8) + "/" + some(ALPHANUMERIC, 24),
        "Google API": "AI" + "za" + some(URL_SAFE, 34) + "x",
        "Google OAuth": "GOC" + "SPX-" + some(ALPHANUMERIC, 28),
        "Google token": "ya" + "29." + some(URL_SAFE, 120),
        "Stripe live": "sk" + "_live_" + some(ALPHANUMERIC, 24),
        "Stripe webhook": "wh" + "sec_" + some(ALPHANUMERIC, 32),
        "JWT": "ey" + "J" + some(ALPHANUMERIC, 33) + ".ey" + "J" + some(URL_SAFE, 60) + "." + some(URL_SAFE, 43),
        "npm": "npm" + "_" + some(ALPHANUMERIC, 36),
        "PyPI": "pypi-" + "AgEIcHlwaS5vcmc" + some(URL_SAFE, 150),
        "Anthropic": "sk-" + "ant-api03-" + some(URL_SAFE, 93),
        "OpenAI project": "sk-" + "proj-" + some(URL_SAFE, 120),
        "OpenAI classic": "sk" + "-" + some(ALPHANUMERIC, 48),
        "Hugging Face": "hf" + "_" + some(string.ascii_letters, 34),
        "SendGrid": "SG" + "." + some(URL_SAFE, 22) + "." + some(URL_SAFE, 43),
        "Twilio": "S" + "K" + some(HEX, 32),
        "DigitalOcean": "do" + "p_v1_" + some(HEX, 64),
        "Docker": "dckr" + "_pat_" + some(ALPHANUMERIC, 27),
        "Atlassian": "AT" + "ATT3" + some(URL_SAFE, 180),
        "Databricks": "da" + "pi" + some(HEX, 32),
        "Vault": "hv" + "s." + some(ALPHANUMERIC, 90),
        "Grafana": "gl" + "sa_" + some(ALPHANUMERIC, 32) + "_" + some(HEX, 8),
        "RubyGems": "ruby" + "gems_" + some(HEX, 48),
        "Telegram": some("123456789", 10) + ":A" + "A" + some(URL_SAFE, 32) + "x",
        "Azure storage": "DefaultEndpointsProtocol=https;Account" + "Key=" + some(ALPHANUMERIC + "+/", 86) + "==",
        "RSA key": "-----BEGIN RSA "
        "PRIVATE KEY-----\n" + some(ALPHANUMERIC, 64) + "\n" + some(ALPHANUMERIC, 40) + "\n-----END RSA PRIVATE KEY-----",
        "OpenSSH key cut off": "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + some(ALPHANUMERIC, 70),
        "key in JSON": '"private_key": "-----BEGIN ' + "PRIVATE KEY-----\\n" + some(ALPHANUMERIC, 64) + '\\n-----END PRIVATE KEY-----\\n"',
        "PGP key": "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\n" + some(ALPHANUMERIC, 64) + "\n-----END PGP PRIVATE KEY BLOCK-----",
        "database URL": "postgres://app:" + some(ALPHANUMERIC, 14) + "@db.internal:5432/orders",
        "cache URL": "redis://:" + some(ALPHANUMERIC, 20) + "@cache:6379/0",
        "clone URL": "https://oauth2:" + some(ALPHANUMERIC, 30) + "@git.example/x.git",
        "bearer": "Authorization: Bearer " + some(ALPHANUMERIC, 40) + "1aA",
        "basic": "-H 'Authorization: Basic " + some(ALPHANUMERIC, 30) + "1aA='",
        "AWS secret": "aws_secret_access_key = " + some(ALPHANUMERIC + "+/", 40),
        "password in code": 'password = "' + some(ALPHANUMERIC, 9) + '!x7"',
        "a quote within": "SECRET_KEY=b'_5#" + some(ALPHANUMERIC, 8) + "\"F4'",
        "token": 'token: "' + some(ALPHANUMERIC, 30) + '1aA"',
        "password in YAML": "db_password: '" + some(ALPHANUMERIC, 12) + "#4'",
        "password in a shell": "export DB_PASSWORD=" + some(ALPHANUMERIC, 20) + "1aA",
        "password in a sentence": "the password is `" + some(ALPHANUMERIC, 14) + "9!`",
        "hex key": 'api_key="' + some(HEX, 32) + '"',
        "client secret": '"client_secret": "' + some(ALPHANUMERIC, 36) + '1aA"',
    }


KINDS = sorted(_planted(0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_a_planted_secret_is_found_in_prose_and_taken_out(kind, seed):
    pieces = []
    secret = _planted(seed, pieces)[kind]
    text = f"Rotate the credentials.\n\nWe leaked {secret} in the job's log, so it was revoked."
    found = secret_findings(text)
    assert found, kind
    clean = scrub(text).text
    assert "[secret removed]" in clean
    assert clean.startswith("Rotate the credentials.")
    assert not [piece for piece in pieces if piece in secret and len(piece) > 8 and piece in clean]


def test_a_finding_never_repeats_the_secret():
    for kind, secret in _planted(1).items():
        for finding in secret_findings(secret):
            assert not any(secret[start : start + 8] in finding.what for start in range(len(secret) - 8)), kind


def test_a_secret_split_by_invisible_characters_is_found():
    secret = "gh" + "p_" + drawn(ALPHANUMERIC, 36)
    hidden = "\u200b".join(secret)
    scrubbed = scrub(f"token {hidden} end")
    assert scrubbed.text == "token [secret removed] end"
    where = next(finding.where for finding in scrubbed.findings if finding.code == "secret")
    assert f"token {hidden} end"[slice(*where)] == hidden


@pytest.mark.parametrize(
    "text",
    [
        "This reverts commit 1b0ff4dd6a2e6a86bd3d0d8ee1aae85a2a8a3b7f.",
        "fixes 9b2e01 and 4f1c2a9",
        "Change-Id: I8473b95934b5732ac55d26311a706c9c2bde9940",
        "git-svn-id: https://svn.apache.org/repos/asf/x/trunk@1796447 13f79535-47bb-0310-9956-ffa450edef68",
        "index d7a3aa3..6b47595 100644",
        "sha256:" + "0123456789abcdef" * 4,
        "integrity sha512-" + drawn(ALPHANUMERIC + "+/", 86) + "==",
        "comind pypi service 1.0 authz/check_permission().",
        "org.apache.commons.lang3.builder.ReflectionToStringBuilder#setExcludeFieldNames",
        "testParseAllLocalesWithTimeZone2AndDaylightSavingTimeInNorthAmerica",
        "password = getpass.getpass()",
        "password=os.environ['DB_PASSWORD']",
        "SECRET_KEY = 'dev'",
        'the form says password: "Required!"',
        "next_token = page.next_token_2",
        'the token "NextPageToken" ends the list',
        'SECRET_KEY: "${{ secrets.DEPLOY_KEY }}"',
        "api_key: string | undefined",
        "password: str = Field(min_length=8)",
        "the access token is refreshed by refresh_access_token()",
        'client_secret="<your-client-secret>"',
        "export API_KEY=xxxxxxxxxxxxxxxxxxxx",
        "--password=********",
        "credentials: 'include'",
        "credentials: 'same-origin'",
        "private_key: src/keys/private_key.pem",
        "secret = config.get('session.secret')",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $GITHUB_TOKEN",
        "add basic_auth://user:password@host to the docs",
        "postgres://user:password@localhost/db",
        "https://user:${PASS}@host/",
        "the parser refused -----BEGIN PRIVATE KEY----- without a body",
        "npm_config_registry and npm_package_json are read",
        "sk-learn, sk_live mode and the ghp_ prefix",
        "bump @types/node from 18.11.9 to 18.11.10 in /runtime",
        "tokens: 1,024; token_count=1048576000000",
        "use eyJ as the prefix of a token",
        "AKIA is the prefix of key ids",
        "commit token 3f2a9c1d7b604e5f8a1c2d3e4f5a6b7c8d9e0f1a of the parser",
    ],
)
def test_what_is_no_secret_stays(text):
    assert secret_findings(text) == []
    assert scrub(text).text == text


@given(build.records(), st.uuids())
def test_ids_symbols_and_hashes_are_no_secrets(record, uuid):
    ids = [new_id(), derived_id("revert", "r"), str(uuid), uuid.hex, uuid.hex + uuid.hex[:8]]
    symbols = [anchor.symbol or "" for anchor in getattr(record, "anchors", ())]
    assert secret_findings(" ".join([*ids, *symbols, f"token {uuid.hex}", f"key: {uuid}", f"secret='{uuid}'"])) == []
