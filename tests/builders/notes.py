"""Stores of other tools for tests, made by hand in the shapes that these tools write.

In: a directory and entries. Out: files. Nothing in them comes from anybody's store.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["link", "write_topic"]


def link(name: str, text: str, **more: Any) -> dict[str, Any]:
    """Return one ruling of a MemContinuum chain; keyword arguments add fields or replace them, None takes one away."""
    entry = {
        "link": name, "date": "2024-01-01", "status": "active", "kind": "adopted",
        "ruling": {"text": text, "authority": "agent-inference", "source": "design note 2024-01-01"},
        "recorded_by": "Grace Recorder", "recorded_at": "2024-01-02",
    }  # fmt: skip
    return {key: value for key, value in (entry | more).items() if value is not None}


def write_topic(root: Path, path: str, links: list[Any] | None, *, prose: str = "# Prose that is free to change", **front: Any) -> Path:
    """Write one MemContinuum topic; JSON is YAML, so the front matter may be written as JSON."""
    keys = {"type": "topic", "id": "TOP-1", "title": "How carts add up", "code_refs": ["shop/cart.py"], "links": links} | front
    lines = [f"{key}: {json.dumps(value)}" for key, value in keys.items() if value is not None]
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("---\n" + "\n".join(lines) + f"\n---\n{prose}\n")
    return target
