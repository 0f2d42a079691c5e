from datetime import UTC, datetime

from comind.harvest.interop.code import Code
from comind.records.vocabulary import Role, Scope
from tests.builders.ledger import PATH


def moment(day, hour=0):
    return int(datetime(2024, 1, day, hour, tzinfo=UTC).timestamp())


def opened(shop):
    return Code(shop.git(), lambda _commit, _path: [])


def test_a_note_is_attached_to_the_commit_that_stood_at_its_time(shop):
    first = shop.repository.head
    later = shop.repository.write(PATH, "def total(): return 1\n").commit(when=datetime(2024, 1, 5, tzinfo=UTC))
    code = opened(shop)
    assert [code.find([PATH], moment(day)).found[0].commit for day in (4, 6)] == [first, later]


def test_a_path_that_came_later_is_attached_where_it_came(shop):
    came = shop.repository.write("shop/tax.py", "RATE = 1\n").commit(when=datetime(2024, 1, 5, tzinfo=UTC))
    shop.repository.remove("shop/tax.py").commit(when=datetime(2024, 1, 6, tzinfo=UTC))
    places = opened(shop).find(["shop/tax.py"], moment(2))
    assert [(place.path, place.commit) for place in places.found] == [("shop/tax.py", came)]
    assert places.commit != came


def test_a_later_commit_does_not_move_a_note(shop):
    before = opened(shop).find([PATH, "shop/"], moment(2))
    shop.repository.write(PATH, "def total(): return 2\n").commit(when=datetime(2024, 1, 9, tzinfo=UTC))
    assert opened(shop).find([PATH, "shop/"], moment(2)) == before


def test_a_symbol_leads_to_the_note_and_its_file_decides(code):
    file, symbol = sorted(code.find([f"{PATH}#Cart.total"], moment(2)).found, key=lambda place: place.scope)
    assert (file.scope, file.role, file.path) == (Scope.FILE, Role.SUBJECT, PATH)
    assert (symbol.scope, symbol.role, symbol.symbol) == (Scope.SYMBOL, Role.CONTEXT, "comind pypi shop . `shop.cart`/Cart#total().")


def test_what_is_not_there_is_told_and_the_rest_is_found(code):
    places = code.find([f"{PATH}#Cart.gone", "shop/gone.py", "/etc/passwd", "../../x", "#total", "nowhere/*.py"], moment(2))
    assert [place.path for place in places.found] == [PATH]
    assert [(loss.where, loss.code) for loss in places.missed] == [
        (f"{PATH}#Cart.gone", "symbol_not_found"), ("shop/gone.py", "place_not_found"), ("/etc/passwd", "bad_path"),
        ("../../x", "bad_path"), ("#total", "bad_path"), ("nowhere/*.py", "place_not_found"),
    ]  # fmt: skip


def test_a_glob_means_its_files_and_for_many_their_folder(shop):
    for number in range(9):
        shop.repository.write(f"shop/tax/rate_{number}.py", "RATE = 1\n")
    shop.repository.commit()
    code = opened(shop)
    assert [place.path for place in code.find(["shop/c*.py"], moment(2)).found] == [PATH]
    (folder,) = code.find(["shop/tax/*.py"], moment(2)).found
    assert (folder.scope, folder.path) == (Scope.MODULE, "shop/tax")
