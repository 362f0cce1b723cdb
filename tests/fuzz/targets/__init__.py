"""What is attacked: one function a boundary, which takes bytes and holds nbask to what it promises there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from targets import cell, elicitation, hook, markdown, record, schema, tools, wire

TARGETS: Mapping[str, Callable[[bytes], None]] = MappingProxyType(
    {
        "wire": wire.attack,
        "schema": schema.attack,
        "record": record.attack,
        "hook": hook.attack,
        "cell": cell.attack,
        "elicitation": elicitation.attack,
        "tools": tools.attack,
        "markdown": markdown.attack,
    }
)
