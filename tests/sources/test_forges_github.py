"""A GitHub client against a GitHub that pages twice, limits, refuses and keeps parts back."""

from datetime import UTC, datetime

import pytest

from comind.sources.forges.clients import open_forge
from comind.sources.forges.courtesy import Patience
from comind.sources.forges.errors import ForgeAnswerError, ForgeBusyError, ForgeRefusedError, ForgeUnreachableError
from comind.sources.forges.model import ForgeKind, ForgeProject, State, Writer
from tests.builders.forges import BASE, HEAD, MERGE, TOKEN, Cut, FakeGitHub, Refuse, comment, pull_request, review_thread, serving


@pytest.fixture
def hub():
    with serving(FakeGitHub()) as fake:
        yield fake


def client(fake, *, token=TOKEN, project=None):
    there = ForgeProject(
        kind=ForgeKind.GITHUB, host="git.example.com", path=project or fake.project, url=fake.url, token_variable="COMIND_TOKEN_TEST"
    )
    return open_forge(there, {"COMIND_TOKEN_TEST": token}, Patience(wait=fake.clock.wait, now=fake.clock))


def read(fake, since=None, **options):
    return [request for batch in client(fake, **options).updated(since) for request in batch]


def numbers(fake, since=None):
    return [request.iid for request in read(fake, since)]


def words(request):
    return [[note.text.words for note in thread.notes] for thread in request.threads]


def test_every_page_of_the_list_is_read_oldest_update_first(hub):
    for number, day in [(1, 9), (2, 3), (3, 5), (4, 7), (5, 1)]:
        hub.add(pull_request(number, day))
    assert numbers(hub) == [5, 2, 3, 4, 1]


def test_the_list_is_read_back_no_further_than_to_the_time_asked_for(hub):
    for number in range(1, 10):
        hub.add(pull_request(number))
    assert numbers(hub, datetime(2026, 3, 8, tzinfo=UTC)) == [8, 9]
    assert len([path for _, path in hub.asked if path.endswith("/pulls")]) == 2


def test_threads_and_the_comments_in_them_are_paged_both_and_all_read(hub):
    threads = [review_thread(f"t{n}", *(comment(f"{n}.{m}", f"{n}.{m}") for m in range(5))) for n in range(3)]
    hub.add(pull_request(1), threads, [comment(f"c{n}", f"c{n}") for n in range(5)], [comment("r0", "r0"), comment("r1", "")])
    (request,) = read(hub)
    assert words(request) == [[f"{n}.{m}" for m in range(5)] for n in range(3)] + [[f"c{n}"] for n in range(5)] + [["r0"]]


def test_only_graphql_says_whether_a_thread_is_resolved(hub):
    hub.add(pull_request(1), [review_thread("a", comment("1", "Guard it")), review_thread("b", comment("2", "And here?"), resolved=False)])
    assert [(thread.resolvable, thread.resolved) for thread in read(hub)[0].threads] == [(True, True), (True, False)]


def test_a_position_says_the_line_and_the_commit_at_which_it_holds(hub):
    outdated = review_thread("b", comment("2", "Hm"), line=None) | {"originalLine": 9}
    hub.add(
        pull_request(1),
        [review_thread("a", comment("1", "Here"), line=4), outdated, review_thread("c", comment("3", "x"), diffSide="LEFT")],
    )
    positions = [thread.position for thread in read(hub)[0].threads]
    assert [(one.path, one.line, one.commit, one.removed) for one in positions] == [
        ("shop.py", 4, HEAD, False),
        ("shop.py", 9, HEAD, False),
        ("shop.py", 1, HEAD, True),
    ]


def test_who_wrote_is_a_part_and_never_a_name(hub):
    said = [("ada", "NONE"), ("bob", "COLLABORATOR"), ("eve", "CONTRIBUTOR"), ("dependabot[bot]", "NONE"), (None, "NONE")]
    hub.add(pull_request(1), [], [comment(f"c{n}", "Hm @bob", by=name, association=part) for n, (name, part) in enumerate(said)])
    (request,) = read(hub)
    assert [thread.notes[0].writer for thread in request.threads] == [
        Writer.AUTHOR, Writer.REVIEWER, Writer.OTHER, Writer.BOT, Writer.GONE,
    ]  # fmt: skip
    assert "bob" not in repr(request)


def test_a_closed_request_is_told_by_what_it_changed_since_it_left_the_target(hub):
    files = [
        {"filename": "shop.py", "status": "modified", "patch": "@@ -3,2 +3,2 @@\n ctx\n-old\n+new"},
        {"filename": "new.py", "status": "added"},
    ]
    hub.add(pull_request(1, merged_at=None), files=files)
    hub.add(pull_request(2, merged_at=None), files=None)  # its commits are gone
    hub.add(pull_request(3))
    gone, merged = read(hub)[1:]
    closed = read(hub)[0]
    assert (closed.state, closed.base_commit, closed.merge_commit) == (State.CLOSED, BASE, None)
    assert [(change.path, change.path_before, change.spans) for change in closed.changes] == [
        ("shop.py", "shop.py", ((4, 4),)),
        ("new.py", None, ()),
    ]
    assert (gone.base_commit, gone.changes) == (None, ())
    assert (merged.state, merged.merge_commit) == (State.MERGED, MERGE)


def test_errors_beside_data_keep_the_data_and_say_that_a_part_is_missing(hub):
    hub.add(pull_request(1), [None, review_thread("a", comment("1", "Guard it"))])
    hub.graphql_errors.append([{"type": "FORBIDDEN", "path": ["repository", "pullRequest", "reviewThreads", "nodes", 0], "message": "no"}])
    (request,) = read(hub)
    assert words(request) == [["Guard it"]]
    assert request.incomplete == "GitHub kept a part back: FORBIDDEN"


def test_errors_without_data_are_one_line(hub):
    hub.add(pull_request(1))
    hub.graphql_errors.append([{"type": "NOT_FOUND", "message": "Could not resolve to a Repository", "without_data": True}])
    with pytest.raises(ForgeRefusedError, match="there is no such project"):
        read(hub)
    hub.graphql_errors.append([{"message": "Something went wrong", "without_data": True}])
    with pytest.raises(ForgeAnswerError, match="a question about a pull request with unknown"):
        read(hub)


def test_a_limit_that_graphql_tells_with_a_good_status_is_waited_for(hub):
    hub.add(pull_request(1))
    hub.graphql_errors.append([{"type": "RATE_LIMITED", "message": "API rate limit exceeded", "without_data": True}])
    assert numbers(hub) == [1]
    assert hub.clock.waits == [60.0]


def test_a_secondary_limit_is_waited_for_as_long_as_it_says_or_a_minute(hub):
    hub.add(pull_request(1))
    said = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    hub.accidents.extend([Refuse(403, said, Retry_After=17), Refuse(403, said)])
    assert numbers(hub) == [1]
    assert hub.clock.waits == [17, 120.0]


def test_an_exhausted_quota_far_from_its_end_is_said_and_not_sat_through(hub):
    hub.add(pull_request(1))
    reset = int(hub.clock.now) + 3000
    hub.accidents.append(Refuse(403, "API rate limit exceeded", X_RateLimit_Remaining=0, X_RateLimit_Reset=reset))
    with pytest.raises(ForgeBusyError, match="left alone for 50 minutes"):
        read(hub)


def test_a_connection_that_breaks_in_the_middle_of_a_page_costs_one_more_question(hub):
    for number in range(1, 4):
        hub.add(pull_request(number), [review_thread("t", *(comment(f"c{n}", "x") for n in range(3)))])
    undisturbed, questions = read(hub), len(hub.asked)
    for question in range(questions):
        hub.accident_at(question, Cut())
        assert read(hub) == undisturbed
    assert hub.clock.waits == [1.0] * questions


def test_a_server_that_fails_every_time_is_given_up(hub):
    hub.accidents.extend([Refuse(503)] * 5)
    with pytest.raises(ForgeUnreachableError, match="in 5 tries: it answered 503"):
        read(hub)


@pytest.mark.parametrize(("options", "status"), [({"token": "another"}, 401), ({"project": "group/other"}, 404)])
def test_a_refusal_is_one_line_that_names_the_project_and_the_variable(hub, options, status):
    with pytest.raises(ForgeRefusedError, match="COMIND_TOKEN_TEST") as caught:
        read(hub, **options)
    assert caught.value.status == status
    assert TOKEN not in str(caught.value)
