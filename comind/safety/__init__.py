"""Text from outside made harmless: secrets, hidden characters, people, phrases that address an agent."""

from comind.safety.findings import Finding, Level
from comind.safety.hidden import QUARANTINE_CLASS
from comind.safety.instructions import QUARANTINE_PHRASES
from comind.safety.scan import Scrubbed, inspect, scrub
from comind.safety.terminal import plain, plain_html, plain_line

__all__ = [
    "QUARANTINE_CLASS", "QUARANTINE_PHRASES", "Finding", "Level", "Scrubbed", "inspect", "plain", "plain_html", "plain_line", "scrub",
]  # fmt: skip
