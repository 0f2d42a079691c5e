from comind.distill.brief import Brief, Span, SpanRole
from comind.records.vocabulary import Source


def _brief() -> Brief:
    spans = (Span(SpanRole.SUBJECT, "Undo the cache"), Span(SpanRole.PARAGRAPH, "It broke on Windows."))
    return Brief(source=Source.GIT, source_id="a" * 40, repo_id="r", commit="a" * 40, time=0, spans=spans, places=())


def test_an_id_names_the_span_at_its_position():
    found = _brief().span("E2")
    assert found is not None
    assert found.text == "It broke on Windows."


def test_an_id_outside_of_the_pool_names_nothing():
    assert _brief().span("E3") is None
    assert _brief().place("S1") is None
    assert _brief().known_record("K8") is None
