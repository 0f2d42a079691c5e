import json

from comind.cli.main import execute

PAGE = """\
```python a.py
def run(job):
    return job.result(timeout=3)
```

## Renamed

```python a.py
def run(job):
=====
def go(job):
```

- `run().`: deleted
"""


def test_the_figures_name_each_answer_that_is_otherwise(tmp_path, capsys):
    (tmp_path / "page.md").write_text(PAGE)
    assert execute(["eval", "staleness", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "  orphaned:      precision 0.000, recall 0.000 of 1" in out
    assert "wrong: page, Renamed: run(). is signature/active, should be deleted/orphaned" in out
    assert execute(["eval", "staleness", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["status"]["orphaned"]["false_negatives"] == 1


def test_a_directory_without_pages_is_said_in_a_line(tmp_path, capsys):
    assert execute(["eval", "staleness", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"comind: {str(tmp_path)!r} holds no Markdown pages of cases\n"
