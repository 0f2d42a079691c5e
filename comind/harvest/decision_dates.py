"""Dates as people write them at the top of a document.

In: a line. Out: an ISO 8601 date, or year and month where no more is said; None where nothing is.
Never takes a day for a month: 22-10-2024 is read, 03-04-2024 is the day first, as in every country that writes dashes or dots.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

__all__ = ["first_date"]

_MONTHS: Final = {
    name: number
    for number, names in enumerate((
        "jan january janvier januar januari enero janeiro", "feb february février fevrier februar februari febrero fevereiro",
        "mar march mars märz maart marzo março", "apr april avril abril", "may mai mei mayo maio", "jun june juin juni junio junho",
        "jul july juillet juli julio julho", "aug august août aout augustus agosto", "sep sept september septembre septiembre setembro",
        "oct october octobre oktober okt octubre outubro", "nov november novembre noviembre novembro",
        "dec december décembre decembre dezember dez diciembre dezembro",
    ), start=1)
    for name in names.split()
}  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})"
_FORMS: Final = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)",
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|\.)?[-\s]+(?:de )?{_MONTH}\.?,?[-\s]+(?:de )?(?P<y>\d{{4}})(?!\d)",
        rf"(?<!\w){_MONTH}\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})(?!\d)",
        r"(?<!\d)(?P<d>\d{1,2})[-/.](?P<m>\d{1,2})[-/.](?P<y>\d{4})(?!\d)",
        r"(?<![\d-])(?P<y>\d{4})-(?P<m>\d{2})(?![\d-])",
        rf"(?<!\w){_MONTH}\.?\s+(?P<y>\d{{4}})(?!\d)",
    )
)


def first_date(line: str) -> str | None:
    """Return the first date of a line.

    >>> first_date("11-April-2023"), first_date("Sep 5th, 2023"), first_date("22-10-2024"), first_date("January , 2026")
    ('2023-04-11', '2023-09-05', '2024-10-22', None)
    """
    found = [
        (match.start(), order, iso)
        for order, form in enumerate(_FORMS)
        for match in form.finditer(line)
        if (iso := _iso(match.groupdict()))
    ]
    return min(found)[2] if found else None


def _iso(parts: dict[str, str | None]) -> str | None:
    name = parts.get("month")
    month = _MONTHS[name.lower()] if name else int(parts["m"] or 0)
    if not parts.get("d"):
        return f"{parts['y']}-{month:02}" if 1 <= month <= 12 else None  # noqa: PLR2004 - months of a year
    try:
        return date(int(parts["y"] or 0), month, int(parts["d"] or 0)).isoformat()
    except ValueError:
        return None
