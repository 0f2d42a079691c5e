import pytest

from comind.harvest.interop.code import Code
from comind.index.past import SymbolsAt
from tests.builders.ledger import Ledger


@pytest.fixture
def shop(tmp_path):
    """The repository of a shop with one Python file, whose first commit is of 2024-01-01."""
    return Ledger.make(tmp_path)


@pytest.fixture
def code(shop):
    with SymbolsAt(shop.git()) as symbols_at:
        yield Code(shop.git(), symbols_at)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "notes"
    path.mkdir()
    return path
