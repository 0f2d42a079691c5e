"""Two small repositories of Python, one of which calls the other, and what a type checker says of them.

``CLOCK`` is ``src/clock/clock.py`` of the repository clock, ``SHOP`` is ``shop.py`` of the repository shop; the marks of each make the
document of a SCIP index.
"""

from tests.builders.git import make_repository
from tests.builders.scip import defined, mentioned

__all__ = ["CLOCK", "CLOCK_MARKS", "SHOP", "SHOP_MARKS", "make_clocks"]

CLOCK = """\
class Clock:
    def __init__(self):
        self.now = 0

    def tick(self):
        return self.now


def start():
    clock = Clock()
    clock.tick()
    return clock


start()
"""
CLOCK_MARKS = (
    defined("Clock", "clock `src.clock.clock`/Clock#"),
    defined("__init__", "clock `src.clock.clock`/Clock#__init__()."),
    defined("now", "clock `src.clock.clock`/Clock#now."),
    defined("tick", "clock `src.clock.clock`/Clock#tick()."),
    defined("start", "clock `src.clock.clock`/start()."),
    mentioned("Clock", "clock `src.clock.clock`/Clock#", nth=1),
    mentioned("tick", "clock `src.clock.clock`/Clock#tick().", nth=1),
    mentioned("start", "clock `src.clock.clock`/start().", nth=1),
)
SHOP = """\
from clock.clock import Clock, start
import json


class Watch(Clock):
    def tick(self):
        return json.dumps(start())
"""
SHOP_MARKS = (
    mentioned("Clock", "Clock `clock.clock`/Clock#"),
    mentioned("start", "Clock `clock.clock`/start()."),
    mentioned("json", "python-stdlib json/__init__:"),
    defined("Watch", "shop shop/Watch#", implements=["Clock `clock.clock`/Clock#"]),
    mentioned("Clock", "Clock `clock.clock`/Clock#", nth=1),
    defined("tick", "shop shop/Watch#tick().", implements=["Clock `clock.clock`/Clock#tick()."]),
    mentioned("dumps", "python-stdlib json/dumps()."),
    mentioned("start", "Clock `clock.clock`/start().", nth=1),
)


def make_clocks(directory):
    """Return the builder of each repository, by name."""
    made = {}
    for name, path, source in (("clock", "src/clock/clock.py", CLOCK), ("shop", "shop.py", SHOP)):
        made[name] = make_repository(directory, name)
        made[name].write("pyproject.toml", f'[project]\nname = "{name}"\n').write(path, source).commit()
    return made
