"""The messages of a SCIP index, as far as they are read here.

In: nothing. Out: one protobuf class for each message of `_MESSAGES`. A field that is not listed is passed over by the decoder.
Names, numbers and types are those of ``scip.proto`` (Copyright Sourcegraph, Inc. and the SCIP authors; Apache License 2.0,
https://github.com/sourcegraph/scip). They stand here as data and not as generated code, since code that ``protoc`` generates
refuses any older runtime, and Dagster decides which runtime there is.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

__all__ = [
    "DOCUMENTS",
    "METADATA",
    "Document",
    "Index",
    "Metadata",
    "Occurrence",
    "PositionEncoding",
    "Relationship",
    "SymbolInformation",
    "SymbolRole",
]

METADATA: Final = 1  # field numbers of `Index`, which is read field by field
DOCUMENTS: Final = 2
_PACKAGE: Final = "scip"
_FIELD = descriptor_pb2.FieldDescriptorProto
_TEXT, _FLAG, _NUMBER = _FIELD.TYPE_STRING, _FIELD.TYPE_BOOL, _FIELD.TYPE_INT32

# Message -> field -> (number, type or message, repeated). Enumerations travel as numbers, and are read as such.
_MESSAGES: Final[dict[str, dict[str, tuple[int, int | str, bool]]]] = {
    "Index": {"metadata": (METADATA, "Metadata", False), "documents": (DOCUMENTS, "Document", True)},
    "Metadata": {"tool_info": (2, "ToolInfo", False), "project_root": (3, _TEXT, False)},
    "ToolInfo": {"name": (1, _TEXT, False), "version": (2, _TEXT, False)},
    "Document": {
        "relative_path": (1, _TEXT, False), "occurrences": (2, "Occurrence", True), "symbols": (3, "SymbolInformation", True),
        "language": (4, _TEXT, False), "position_encoding": (6, _NUMBER, False),
    },
    "Occurrence": {"range": (1, _NUMBER, True), "symbol": (2, _TEXT, False), "symbol_roles": (3, _NUMBER, False)},
    "SymbolInformation": {"symbol": (1, _TEXT, False), "relationships": (4, "Relationship", True)},
    "Relationship": {"symbol": (1, _TEXT, False), "is_implementation": (3, _FLAG, False)},
}  # fmt: skip


class SymbolRole:
    """Bits of `Occurrence.symbol_roles`."""

    DEFINITION: Final = 1
    IMPORT: Final = 2


class PositionEncoding:
    """What a character of a range counts."""

    UTF8: Final = 1
    UTF16: Final = 2
    UTF32: Final = 3


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(name="comind/scip.proto", package=_PACKAGE, syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, (number, kind, repeated) in fields.items():
            label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
            if isinstance(kind, str):
                message.field.add(name=field, number=number, label=label, type=_FIELD.TYPE_MESSAGE, type_name=f".{_PACKAGE}.{kind}")
            else:
                message.field.add(name=field, number=number, label=label, type=kind)
    return file


def _classes() -> dict[str, Any]:
    pool = descriptor_pool.DescriptorPool()  # a pool of our own: two definitions of one name in the common one are an error
    pool.Add(_file())
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}")) for name in _MESSAGES}


_CLASSES = _classes()
Index: Any = _CLASSES["Index"]
Metadata: Any = _CLASSES["Metadata"]
Document: Any = _CLASSES["Document"]
Occurrence: Any = _CLASSES["Occurrence"]
SymbolInformation: Any = _CLASSES["SymbolInformation"]
Relationship: Any = _CLASSES["Relationship"]
