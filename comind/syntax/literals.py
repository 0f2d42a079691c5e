"""One spelling for literals that mean the same.

In: the source bytes of one string, number or piece of markup text. Out: the token that stands for it.
Strings come out with a leading ``"``, which no other token has, so that text can never pass for code.
"""

from __future__ import annotations

import re

__all__ = ["fold_markup_text", "fold_number", "fold_python_piece", "fold_python_string", "fold_quoted", "is_name", "unquote"]

# Bytes are searched for a number: for a bytes object, `in` first raises and drops an exception inside.
_BACKSLASH, _RETURN, _POINT, _B, _F, _R, _T = b"\\\r.bfrt"
_QUOTES = b"\"'"
_CODE = rb"x[0-9A-Fa-f]{2}"
_TEXT_ESCAPE = re.compile(rb"\\(?:([\"'])|(%b|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|(.))" % _CODE, re.DOTALL)
_BYTES_ESCAPE = re.compile(rb"\\(?:([\"'])|(%b)|(.))" % _CODE, re.DOTALL)  # \u is no escape in bytes
_DECIMAL = re.compile(rb"(\d*)\.?(\d*)(?:e([+-]?)(\d+))?([a-z]\w*)?")
_NAME = re.compile(rb"[A-Za-z_$][\w$]*")


def fold_number(text: bytes, *, whole_is_float: bool = False) -> bytes:
    """Return the one spelling of a number: lower case, no underscores, no idle zeros, point or plus sign.

    Args:
        text: the literal as written.
        whole_is_float: 1.0 and 1 are the same value (JavaScript).

    >>> [fold_number(text) for text in (b"0XFF", b".50", b"1.", b"1E+10", b"1_000", b"1.0_F32")]
    [b'0xff', b'0.5', b'1.0', b'1e10', b'1000', b'1.0f32']
    >>> fold_number(b"1.0", whole_is_float=True)
    b'1'
    """
    if text.isdigit():
        return text
    folded = text.lower().replace(b"_", b"")
    parts = None if folded[:2] in {b"0x", b"0o", b"0b"} else _DECIMAL.fullmatch(folded)
    if parts is None:
        return folded
    whole, fraction, sign, exponent, suffix = parts.groups(b"")
    if _POINT in folded:
        fraction = fraction.rstrip(b"0")
        if fraction or not whole_is_float:
            fraction = b"." + (fraction or b"0")
    power = b"e" + sign.replace(b"+", b"") + exponent if exponent else b""
    return (whole or b"0") + fraction + power + suffix


def fold_quoted(text: bytes) -> bytes:
    r"""Return the token of a string in ``'`` or ``"`` whose escapes are the same in both.

    >>> fold_quoted(b"'it\\'s'") == fold_quoted(b'"it\'s"') == b'"it\'s'
    True
    """
    content = text[1:-1]
    return b'"' + (_TEXT_ESCAPE.sub(_fold_escape, content) if _BACKSLASH in content else content)


def fold_python_string(text: bytes) -> bytes | None:
    r"""Return the token of a Python string literal; None for one that holds code (an f- or t-string).

    Raw strings come out as the equal string with escapes; bytes are marked.

    >>> fold_python_string(b"u'''a'''"), fold_python_string(b'rB"\\d"'), fold_python_string(b'f"{a}"')
    (b'"a', b'b"\\\\d', None)
    """
    if text[0] in _QUOTES and text[1] not in _QUOTES and _BACKSLASH not in text and _RETURN not in text:
        return b'"' + text[1:-1]  # by far the commonest
    start = text.find(text[-1:])  # the closing quote's twin: a prefix holds letters only
    prefix, body = text[:start].lower(), text[start:]
    if _F in prefix or _T in prefix:
        return None
    content = body[3:-3] if len(body) > 5 and body[:3] == body[-1:] * 3 else body[1:-1]  # noqa: PLR2004 - two times three quotes
    if _B in prefix:
        return b'b"' + fold_python_piece(content, raw=_R in prefix, escapes=_BYTES_ESCAPE)
    return b'"' + fold_python_piece(content, raw=_R in prefix)


def fold_python_piece(content: bytes, *, raw: bool, escapes: re.Pattern[bytes] = _TEXT_ESCAPE) -> bytes:
    r"""Return the content of a Python string, spelt as in a string that is not raw.

    >>> fold_python_piece(b"\\'\\xAB", raw=False), fold_python_piece(b"\\d", raw=True)
    (b"'\\xab", b'\\\\d')
    """
    if _RETURN in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _BACKSLASH not in content:
        return content
    return content.replace(b"\\", b"\\\\") if raw else escapes.sub(_fold_escape, content)


def fold_markup_text(text: bytes) -> bytes:
    r"""Return JSX text as it is rendered: lines trimmed where they break, empty ones dropped.

    Source: the JSX transform's rule; spaces beside a tag on the same line are kept.

    >>> fold_markup_text(b"\n   Hello,\n   you "), fold_markup_text(b"\n  ")
    (b'Hello, you ', b'')
    """
    lines = text.expandtabs().split(b"\n")
    last = len(lines) - 1
    trimmed = [line.strip() if 0 < at < last else line.rstrip() if at < last else line.lstrip() for at, line in enumerate(lines)]
    return text if last == 0 else b" ".join(line for line in trimmed if line)


def unquote(text: bytes) -> bytes:
    """Return the name that a quoted property or module name stands for; in a computed one, one kind of quote.

    >>> unquote(b"'a-b'"), unquote(b"a"), unquote(b"['x-y']")
    (b'a-b', b'a', b'["x-y"]')
    """
    if text.startswith(b"["):
        return b" ".join(text.replace(b"'", b'"').split())
    return text[1:-1] if text[:1] in {b"'", b'"'} and text[-1:] == text[:1] else text


def is_name(text: bytes) -> bool:
    """Tell whether a quoted key could have been written without quotes.

    >>> is_name(b"key"), is_name(b"a-b")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


def _fold_escape(match: re.Match[bytes]) -> bytes:
    quote, code, other = match.groups()
    if quote:
        return bytes(quote)
    if code:
        return b"\\" + code[:1] + code[1:].lower()
    return b"" if other == b"\n" else b"\\" + other  # an escaped line break is no character
