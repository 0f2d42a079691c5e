"""What is left out by rules follows the rules, whether the code moved or not."""

import polars as pl

from tests.builders.git import make_repository


def _files(pipeline):
    return dict(pipeline.lake.read("code_files").filter(pl.col("path").str.ends_with(".py")).select("path", "status").iter_rows())


def _called(pipeline):
    edges = pipeline.lake.read("edges").filter(pl.col("kind") == "calls")
    symbols = pipeline.lake.read("symbols").select(dst="sid", name="qualified_name")
    return set(edges.join(symbols, on="dst")["name"])


def test_a_rule_that_changes_holds_for_files_that_did_not(pipeline, tmp_path):
    shop = make_repository(tmp_path / "shop")
    shop.write("shop.py", "from vendor.prices import price\n\ndef sell():\n    return price()\n")
    shop.write("vendor/prices.py", "def price():\n    return 1\n").commit("Sell")
    pipeline.repositories.append(shop.path)
    pipeline.run()
    assert _files(pipeline) == {"shop.py": "parsed", "vendor/prices.py": "excluded"}
    assert _called(pipeline) == set()

    (tmp_path / "comind.toml").write_text('keep = ["vendor/**"]\n')
    pipeline.run()
    assert _files(pipeline) == {"shop.py": "parsed", "vendor/prices.py": "parsed"}
    assert _called(pipeline) == {"price"}
    before = pipeline.versions()
    pipeline.run()
    assert pipeline.versions() == before

    (tmp_path / "comind.toml").write_text('leave_out = ["shop.py"]\nkeep = ["vendor/**"]\n')
    pipeline.run()
    assert _files(pipeline) == {"shop.py": "excluded", "vendor/prices.py": "parsed"}
    assert _called(pipeline) == set()


def test_a_limit_that_changes_holds_for_files_that_did_not(pipeline, tmp_path):
    shop = make_repository(tmp_path / "shop")
    shop.write("shop.py", "def sell():\n    return 1\n").commit("Sell")
    pipeline.repositories.append(shop.path)
    (tmp_path / "comind.toml").write_text("max_file_bytes = 10\n")
    pipeline.run()
    assert _files(pipeline) == {"shop.py": "skipped"}
    (tmp_path / "comind.toml").unlink()
    pipeline.run()
    assert _files(pipeline) == {"shop.py": "parsed"}


def test_attributes_that_change_leave_out_files_that_did_not(pipeline, tmp_path):
    shop = make_repository(tmp_path / "shop")
    shop.write("shop.py", "from api import price\n\ndef sell():\n    return price()\n")
    shop.write("api.py", "def price():\n    return 1\n").commit("Sell")
    pipeline.repositories.append(shop.path)
    pipeline.run()
    assert _called(pipeline) == {"price"}
    shop.write(".gitattributes", "api.py linguist-generated\n").commit("Say that the interface is generated")
    pipeline.run()
    assert _files(pipeline) == {"shop.py": "parsed", "api.py": "excluded"}
    assert _called(pipeline) == set()
