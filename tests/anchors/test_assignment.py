"""One commit's declarations are given to each other: by their bodies, names, callers and surroundings, and never two to one."""

from __future__ import annotations

import pytest

from comind.anchors.changes import Place
from comind.anchors.follow import Follower
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


def place_after(repository, path, descriptors):
    """Where the last commit took a declaration of the one before: rung, path and descriptors."""
    opened = GitRepository.open(repository.path)
    found = Follower(opened).follow(Place(path, descriptors, 0), repository.commits[-2], repository.head)
    return (found.matched_by, *(found.place[:2] if found.place else (None, None)))


CREATE = """\
class Runners {{
  List<Runner> create({params}) throws Exception {{
    List<Runner> runners = new ArrayList<>();
{loop}
    try {{ return Collections.unmodifiableList(runners); }} catch (ClassCastException e) {{ throw wrongType(e); }}
  }}
{more}
}}
"""


def test_what_got_other_parameters_and_lost_a_part_of_its_body_keeps_its_name(repository):
    loop = "    int number = 0;\n    for (Object one : all) { runners.add(build(pattern, number++, one)); }"
    repository.write("Runners.java", CREATE.format(params="Iterable<Object> all, String pattern", loop=loop, more="")).commit()
    extracted = "  List<Test> tests(Iterable<Object> all, String pattern) throws Exception {\n"
    extracted += loop.replace("runners", "tests") + "\n    return tests;\n  }"
    kept = "    for (Test test : tests(all, pattern)) { runners.add(factory.make(test)); }"
    params = "Iterable<Object> all, String pattern, Factory factory"
    repository.write("Runners.java", CREATE.format(params=params, loop=kept, more=extracted)).commit()
    assert place_after(repository, "Runners.java", "Runners#create(Iterable+String).") == (
        "params",
        "Runners.java",
        "Runners#create(Iterable+String+Factory).",
    )


TWIN = """\
public class {name} {{
  void open() {{ try {{ read(); }} catch (RuntimeException e) {{ close(); }} }}
  void close() {{ try {{ stop(); }} catch (IllegalStateException e) {{ log(e); }} finally {{ done = true; }} }}
}}
"""
CHECK = 'class Check {{\n  void first() {{ run(path("in/{}.java"), 1); }}\n  void second() {{ run(path("in/{}.java"), 2); }}\n}}\n'


def test_twins_are_told_apart_by_the_strings_that_name_them(repository):
    for name in ("Input1", "Input2"):
        repository.write(f"in/{name}.java", TWIN.format(name=name))
    repository.write("Check.java", CHECK.format("Input1", "Input2")).commit()
    for name, old in (("InputWeak", "Input1"), ("InputStrong", "Input2")):
        repository.remove(f"in/{old}.java").write(f"in/{name}.java", TWIN.format(name=name))
    repository.write("Check.java", CHECK.format("InputWeak", "InputStrong")).commit()
    assert place_after(repository, "in/Input1.java", "Input1#")[1:] == ("in/InputWeak.java", "InputWeak#")
    assert place_after(repository, "in/Input2.java", "Input2#")[1:] == ("in/InputStrong.java", "InputStrong#")


def test_of_twins_that_nothing_tells_apart_none_is_guessed(repository):
    repository.write("in/Input1.java", TWIN.format(name="Input1")).write("in/Input2.java", TWIN.format(name="Input2")).commit()
    repository.remove("in/Input1.java").remove("in/Input2.java")
    repository.write("in/InputA.java", TWIN.format(name="InputA")).write("in/InputB.java", TWIN.format(name="InputB")).commit()
    assert place_after(repository, "in/Input1.java", "Input1#")[0] == "ambiguous"
    assert place_after(repository, "in/Input2.java", "Input2#")[0] == "ambiguous"


WIDE = """\
    def reduce(self, x):
        if len(x) == 0:
            z = self.zero
        else:
            base = self.base
            if base == 2:
                z = numpy.logaddexp2.reduce(x, dtype=float)
            elif base == "e" or close(base, numpy.e):
                z = numpy.logaddexp.reduce(x, dtype=float)
            else:
                z = numpy.logaddexp2.reduce(x * numpy.log2(base), dtype=float)
                z /= numpy.log2(base)
        return z
"""
VARIANT = """\
        def reduce(self, x{more}):
            if len(x) == 0:
                z = self.zero
            else:
                z = {how}
            return z
"""
FACTORY = f"""\
def set_reduce(ops):
    base = ops.base
    if base == 2:
{VARIANT.format(more=", func=numpy.logaddexp2", how="func.reduce(x, dtype=float)")}
    elif base == "e" or close(base, numpy.e):
{VARIANT.format(more=", func=numpy.logaddexp", how="func.reduce(x, dtype=float)")}
    else:
{VARIANT.format(more="", how="numpy.logaddexp2.reduce(x * numpy.log2(base), dtype=float) / numpy.log2(base)")}
    ops.reduce = MethodType(reduce, ops)
"""


def test_a_function_that_was_split_into_variants_is_what_holds_them_all(repository):
    repository.write("ops.py", f"class Operations:\n    def set_base(self, base):\n        self.base = base\n\n{WIDE}").commit()
    repository.write("ops.py", f"{FACTORY}\n\nclass Operations:\n    def set_base(self, base):\n        self.base = base\n").commit()
    assert place_after(repository, "ops.py", "Operations#reduce().") == ("similar", "ops.py", "set_reduce().")


SCOPE = "  /** The scope of a type. */\n  default <T> Scope<T> scope(Class<T> type) {{ return scope(Collections.singleton(type)); }}\n"


def test_of_equal_homes_the_one_in_the_same_directory_is_it(repository):
    for module in ("orm", "pojo"):
        repository.write(f"{module}/session/Session.java", f"interface Session {{\n{SCOPE}  void close();\n}}\n")
    repository.commit()
    for module in ("orm", "pojo"):
        repository.write(f"{module}/session/Session.java", "interface Session {\n  void close();\n}\n")
        repository.write(f"{module}/scope/Provider.java", f"public interface Provider {{\n{SCOPE}}}\n")
    repository.commit()
    for module in ("orm", "pojo"):
        moved = place_after(repository, f"{module}/session/Session.java", "Session#scope(Class).")
        assert moved[1:] == (f"{module}/scope/Provider.java", "Provider#scope(Class).")


def test_a_short_body_is_found_under_another_name_in_another_file(repository):
    body = "{{ void testThrows() {{ throw new RuntimeException({}); }} }}"
    inner = f"  static class OldSample extends TestCase {body.format('cause()')}\n"
    repository.write("Test.java", f"class Test {{\n{inner}  void run() {{ start(); }}\n}}\n").commit()
    repository.write("Test.java", "class Test {\n  void run() { start(); }\n}\n")
    moved = f"  static class Sample extends TestCase {body.format('cause()')}\n"
    repository.write("samples/Samples.java", f"public class Samples {{\n{moved}}}\n").commit()
    assert place_after(repository, "Test.java", "Test#OldSample#") == ("similar", "samples/Samples.java", "Samples#Sample#")


NEW = """\
class Node(Base):
    def {name}(self, spec, kind, incoming, outgoing, fewest, most):
        streams = stream_map(spec)
        self.check_length(streams, fewest, most)
        self.check_types(streams, incoming)
        edges = self.incoming_edges(streams)
        super(Node, self).__init__(edges, kind, outgoing)
        self.outgoing_type, self.incoming_types = outgoing, incoming
        self.repeat(kind)
"""
CHOOSE = """
    def __init__(self, *args, **kwargs):
        old = kwargs.pop("old_node", None) or (args[0] if isinstance(args[0], Node) else None)
        if old is not None and not isinstance(old, type(self)):
            raise TypeError("wrong node", type(old))
        if old is not None:
            self.copy(old, **dict(old.kwargs, **kwargs))
        else:
            self.init_anew(*args, **kwargs)
"""


def test_a_long_body_takes_the_name_of_a_caller_whose_own_body_is_gone(repository):
    repository.write("nodes.py", NEW.format(name="init_anew") + CHOOSE).commit()
    repository.write("nodes.py", NEW.format(name="__init__")).commit()
    assert place_after(repository, "nodes.py", "Node#init_anew().") == ("similar", "nodes.py", "Node#__init__().")


def test_a_caller_that_did_nothing_else_takes_its_helper_in(repository):
    call = "\n    def __init__(self, spec, kind, incoming, outgoing, fewest, most):\n"
    call += "        self.init_anew(spec, kind, incoming, outgoing, fewest, most)\n"
    repository.write("nodes.py", NEW.format(name="init_anew") + call).commit()
    repository.write("nodes.py", NEW.format(name="__init__")).commit()
    assert place_after(repository, "nodes.py", "Node#init_anew().") == ("deleted", None, None)
    assert place_after(repository, "nodes.py", "Node#__init__().") == ("same", "nodes.py", "Node#__init__().")


EXAMPLE = """\
    source = ffmpeg.input(FILE)
    video = source[{0}"v"].hflip()
    audio = source[{0}"a"].filter("aecho", 0.8, 0.9, 1000, 0.3)
    video = ffmpeg.overlay(video, ffmpeg.input(LOGO).scale(120, 80), x=10, y=10)
    audio = audio.filter("volume", 2.5).filter("atempo", 1.1)
"""
CHECKED = "{}.get_args() == [\n        '-i', FILE, '-filter_complex', '[0:a]aecho=0.8;[0:v]hflip', '-map', '[s0]', OUT\n    ]\n"


def test_a_helper_that_went_into_its_renamed_caller_is_gone_and_the_caller_is_found(repository):
    helper = "def _example():\n" + EXAMPLE.format(":") + "    return ffmpeg.output(audio, video, OUT)\n"
    caller = "def test_with_select():\n    assert " + CHECKED.format("_example()")
    repository.write("tests.py", f"{helper}\n\n{caller}").commit()
    both = EXAMPLE.format("") + "    out = ffmpeg.output(audio, video, OUT)\n    assert " + CHECKED.format("out")
    repository.write("tests.py", f"def test_with_selector():\n{both}").commit()
    assert place_after(repository, "tests.py", "test_with_select().") == ("similar", "tests.py", "test_with_selector().")
    assert place_after(repository, "tests.py", "_example().") == ("deleted", None, None)
