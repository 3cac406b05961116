import csv
import io
import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.safestring import SafeString

import pytest

from annotation.actions.decisions import adjudicate
from annotation.actions.submitting import report_problem
from annotation.models import Adjudication, ErrorSpan, Item, Judgment
from campaigns.models import Account, Campaign, Role, Segment, TestSet, Translation
from frontend.researcher.shown_outputs import ShownOutput
from jobs.actions import perform_now
from jobs.models import Run, RunStatus
from metrics.segments.sheet import Output, segment_sheet
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark
from tests.metrics.segments.differing import find_disagreement, make_differing, output_of, segment_named
from tests.metrics.segments.stored_marks import store_marks
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_questions import RIGHT_CHOICE, answers, ask_questions
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT, make_test_set

ClientOf = Callable[[Account], Client]


def judged(test_set: TestSet, cast: Cast) -> Campaign:
    scores = {("harbour:3", WOMBAT): (20, 67), ("orchard:1", HUMAN): (90, 60)}
    return make_differing(test_set, cast, scores, name="Judged campaign")


stored, cast, test_set, campaign = made_once(judged)


@pytest.fixture
def disagreement(campaign: Campaign) -> Run:
    return find_disagreement(campaign)


def page_of(campaign: Campaign, client: Client, query: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.slug}/segments/{query}")
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.usefixtures("disagreement")
def test_the_segment_people_quarrel_about_most_is_shown_first_and_in_full(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    page = page_of(campaign, client_of(cast.researcher))
    for words in ("By noon the café had run out of bread.", "spread 47", "Mittags war das Brot alle.", WOMBAT, "67"):
        assert words in page
    assert page.index("harbour</bdi> : <bdi>3") < page.index("orchard</bdi> : <bdi>1")
    assert "Anna Weidner" in page
    assert "/items/" not in page  # an item's own page is its organiser's
    assert "/items/" in page_of(campaign, client_of(cast.organiser))


@pytest.mark.usefixtures("disagreement")
def test_an_output_of_two_systems_is_shown_once(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    shared = segment_named(campaign, "harbour:2")
    page = page_of(campaign, client_of(cast.researcher), f"?segment={shared.pk}")
    assert page.count('class="sysb') == 2
    assert f"<bdi>{QUOKKA}</bdi>, <bdi>{WOMBAT}</bdi>" in page


def test_before_anybody_looked_segments_stand_as_in_the_texts(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.researcher)
    page = page_of(campaign, client)
    assert "Disagreement has not been computed yet" in page
    assert "The ferry left an hour late." in page
    assert client.post(f"/campaigns/{campaign.slug}/segments/compute/").status_code == 302
    assert Run.objects.get().kind == "disagreement"
    client.post(f"/campaigns/{campaign.slug}/segments/compute/")
    assert Run.objects.count() == 1
    assert "Waiting for a worker" in client.get(f"/campaigns/{campaign.slug}/segments/state/").content.decode()


@pytest.mark.usefixtures("disagreement")
def test_a_segments_address_leads_to_it_whatever_is_looked_for(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.researcher)
    segment = segment_named(campaign, "orchard:3")
    page = page_of(campaign, client, f"?segment={segment.pk}")
    assert f"{settings.BASE_URL}/campaigns/{campaign.slug}/segments/?segment={segment.pk}" in page
    assert "The wasps had noticed before we did." in page
    aside = page_of(campaign, client, f"?segment={segment.pk}&spread=40")
    assert "This segment does not match the filter." in aside
    assert "No segment matches" in page_of(campaign, client, "?text=zebra")
    for nonsense in ("0", "x", "9" * 30):
        assert client.get(f"/campaigns/{campaign.slug}/segments/?segment={nonsense}").status_code == 404


@pytest.mark.usefixtures("disagreement")
@pytest.mark.parametrize(
    "query",
    ["?spread=many", "?system=nobody", "?after=-3&before=x", "?sort=up", "?metric=none", "?gap=200", "?tag=%22"],
)
def test_nonsense_in_the_address_breaks_nothing(
    campaign: Campaign, cast: Cast, client_of: ClientOf, query: str
) -> None:
    page_of(campaign, client_of(cast.researcher), query)


@pytest.mark.usefixtures("disagreement")
def test_the_list_as_a_file_is_what_the_page_lists(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/segments.csv?spread=1")
    rows = list(csv.DictReader(io.StringIO(b"".join(response).decode())))
    assert [(row["document"], row["segment"], row["spread"]) for row in rows] == [
        ("harbour", "3", "47"),
        ("orchard", "1", "30"),
    ]
    assert rows[0]["link"].endswith(f"/segments/?segment={segment_named(campaign, 'harbour:3').pk}")
    assert "spread:score" in rows[0]["signature"]


def test_only_organisers_and_researchers_see_segments_and_only_organisers_decide(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    own = f"/campaigns/{campaign.slug}"
    output = output_of(campaign, "harbour:3", WOMBAT)
    made = adjudicate(campaign=campaign, translation=output, answered={"score": 1}, reason="A test.", by=None)
    for address in (f"{own}/segments/", f"{own}/segments.csv", f"{own}/segments/state/"):
        for account, status in (
            (cast.organiser, 200), (cast.researcher, 200), (cast.annotator, 404), (cast.stranger, 404),
        ):  # fmt: skip
            assert client_of(account).get(address).status_code == status
        assert Client().get(address).status_code == 302
    for address in (f"{own}/outputs/{output.pk}/adjudicate/", f"{own}/adjudications/{made.pk}/undo/"):
        for account in (cast.researcher, cast.annotator, cast.stranger):
            assert client_of(account).post(address, {"score": "4", "reason": "Mine."}).status_code == 404
        assert client_of(cast.organiser).get(address).status_code == 405
    assert Adjudication.objects.get().undone_at is None


def test_what_is_of_another_campaign_is_not_found(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    other = make_planned_campaign(make_test_set("Elsewhere", slug="elsewhere"), cast, name="Other")
    elsewhere = output_of(other, "harbour:1", WOMBAT)
    client = client_of(cast.organiser)
    own = f"/campaigns/{campaign.slug}"
    assert client.get(f"{own}/segments/?segment={elsewhere.segment_id}").status_code == 404
    assert client.post(f"{own}/outputs/{elsewhere.pk}/adjudicate/", {"score": "4", "reason": "A"}).status_code == 404
    made = adjudicate(campaign=other, translation=elsewhere, answered={"score": 1}, reason="A test.", by=None)
    assert client.post(f"{own}/adjudications/{made.pk}/undo/").status_code == 404


@pytest.mark.usefixtures("disagreement")
def test_a_decision_is_entered_shown_and_undone(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.organiser)
    output = output_of(campaign, "harbour:3", WOMBAT)
    address = f"/campaigns/{campaign.slug}/outputs/{output.pk}/adjudicate/?queue=on"
    refused = client.post(address, {"score": "400", "reason": ""})
    assert refused.status_code == 422
    assert "The score must be a whole number from 0 to 100." in refused.content.decode()
    again = client.post(address, {"score": "40", "reason": ""})
    assert "Give a reason" in again.content.decode()
    response = client.post(address, {"score": "40", "reason": "Bread is there, noon is not."}, follow=True)
    page = response.content.decode()
    assert "Bread is there, noon is not." in page
    made = Adjudication.objects.get()
    assert (made.answer, made.decided_by) == ({"score": 40}, cast.organiser)
    undone = client.post(f"/campaigns/{campaign.slug}/adjudications/{made.pk}/undo/", follow=True).content.decode()
    assert "Earlier decisions" in undone
    made.refresh_from_db()
    assert made.undone_by == cast.organiser


@pytest.mark.parametrize("score", ["--5", "9" * 5000])
def test_what_is_no_number_is_refused(campaign: Campaign, cast: Cast, client_of: ClientOf, score: str) -> None:
    output = output_of(campaign, "harbour:3", WOMBAT)
    address = f"/campaigns/{campaign.slug}/outputs/{output.pk}/adjudicate/"
    refused = client_of(cast.organiser).post(address, {"score": score, "reason": "A slip of the finger."})
    assert refused.status_code == 422
    assert "The score must be a whole number from 0 to 100." in refused.content.decode()


def _judgment_of(campaign: Campaign, annotator: Account, output: Translation) -> Judgment:
    mine = Judgment.objects.filter(item__assignment__campaign=campaign, annotator=annotator)
    return mine.get(item__slots__translation=output)


def test_errors_are_decided_on_by_one_annotators_answer_or_by_choosing_among_all(
    test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    campaign = make_mqm(test_set, cast, name="Marked", redundancy=2)
    for annotator, error in zip(cast.annotators, (GRAVE, SMALL), strict=True):
        for item in items_to_judge(take(campaign, annotator)):
            mark(item, error)
    output = output_of(campaign, "harbour:3", WOMBAT)
    client = client_of(cast.organiser)
    address = f"/campaigns/{campaign.slug}/outputs/{output.pk}/adjudicate/"
    annas = _judgment_of(campaign, cast.annotator, output)
    client.post(address, {"answer": str(annas.pk), "reason": "Anna is right."})
    first = Adjudication.objects.get()
    assert (first.based_on, [span["severity"] for span in first.answer["spans"]]) == (annas, ["major"])
    spans = [str(pk) for pk in ErrorSpan.objects.filter(translation=output).values_list("pk", flat=True)]
    entered: dict[str, Any] = {"answer": "own", "span": spans, "reason": "Both are.", "instead_of": str(first.pk)}
    client.post(address, entered)
    second = Adjudication.objects.get(undone_at=None)
    assert (second.based_on, len(second.answer["spans"])) == (None, 2)
    unsaid = client.post(address, {"reason": "Nothing chosen.", "instead_of": str(second.pk)})
    assert unsaid.status_code == 422
    client.post(address, {"answer": "own", "reason": "No errors.", "instead_of": str(second.pk)})
    assert Adjudication.objects.get(undone_at=None).answer == {"spans": []}


def test_errors_of_all_annotators_are_drawn_in_the_text(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_mqm(test_set, cast)
    item = next(item for item in items_to_judge(take(campaign, cast.annotator)) if item.segment)
    mark(item, {**GRAVE, "start": 1, "end": 6}, {**SMALL, "start": 4, "end": 4, "note": "<b>"})
    page = page_of(campaign, client_of(cast.researcher), f"?segment={item.segment_id}")
    assert 'class="u" aria-hidden="true" data-s="2" data-lane="0"' in page
    assert 'class="miss"' in page
    assert "&lt;b&gt;" in page
    assert " style=" not in page


def test_reports_stand_above_the_segment_and_lead_to_it(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    item = Item.objects.filter(segment__isnull=False)[0]
    report_problem(item=item, annotator=cast.annotator, reason="offensive", note="He and she.")
    client = client_of(cast.organiser)
    assert "He and she." in page_of(campaign, client, f"?segment={item.segment_id}")
    link = f"/campaigns/{campaign.slug}/segments/?segment={item.segment_id}"
    assert link in client.get(f"/campaigns/{campaign.slug}/reports/").content.decode()
    assert link in client.get(f"/campaigns/{campaign.slug}/items/{item.public_id}/").content.decode()


def test_words_that_differ_are_marked(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    segment = segment_named(campaign, "orchard:2")
    page = page_of(campaign, client_of(cast.researcher), f"?segment={segment.pk}&compare=system:{WOMBAT}")
    words = "Sie waren <del>klein</del> <ins>klein, grün</ins> und <del>grün.</del> <ins>süß.</ins>"
    assert words in page


def test_the_page_asks_few_questions_however_much_was_judged(
    campaign: Campaign, test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    def cost(query: str) -> int:
        client = client_of(cast.organiser)
        with CaptureQueriesContext(connection) as queries:
            page_of(campaign, client, query)
        return len(queries)

    find_disagreement(campaign)
    segment = segment_named(campaign, "orchard:1")
    queries = ("", f"?segment={segment.pk}", f"?segment={segment.pk}&spread=50", "?queue=on", "?text=the&after=1")
    before = [cost(query) for query in queries]
    assert max(before) <= 20
    _add_segments(test_set)
    find_disagreement(campaign)
    assert [cost(query) for query in queries] <= [each + 1 for each in before]


def _add_segments(test_set: TestSet) -> None:
    document = test_set.documents.order_by("position")[0]
    system = test_set.systems.get(name=WOMBAT)
    for number in range(4, 60):
        segment = Segment.objects.create(document=document, name=str(number), position=number, source=f"the {number}")
        Translation.objects.create(segment=segment, system=system, text=f"die {number}")


def test_an_annotator_is_never_led_there(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assert campaign.memberships.filter(account=cast.annotator, role=Role.ANNOTATOR).exists()
    page = client_of(cast.annotator).get("/").content.decode()
    assert "/segments/" not in page
    assert WOMBAT not in page


def test_later_judgments_are_mentioned(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    find_disagreement(campaign)
    item = Item.objects.filter(segment__isnull=False, assignment__annotator=cast.annotator)[0]
    judge(item, 3, base_revision=item.revision)
    assert "Judgments have been added or excluded" in page_of(campaign, client_of(cast.researcher))


def test_the_page_asks_for_a_look_by_itself_and_can_end_it(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    at = f"/campaigns/{campaign.slug}/segments/"
    assert f'action="{at}refresh/"' in client.get(at).content.decode()
    assert client.post(f"{at}refresh/").status_code == 202
    assert f'action="{at}cancel/"' in client.get(at).content.decode()
    client.post(f"{at}cancel/")
    assert Run.objects.get(kind="disagreement").status == RunStatus.CANCELLED
    assert client.post(f"{at}refresh/").status_code == 204, "who ended it decides when there is another"


def test_z_is_beside_the_score_where_results_have_it(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    at, client = f"/campaigns/{campaign.slug}/segments/", client_of(cast.researcher)
    assert 'title="z-score"' not in client.get(at).content.decode()
    perform_now(kind="analysis", campaign=campaign, arguments={})
    page = client.get(at)
    assert 'title="z-score"' in page.content.decode()
    shown = [one for output in page.context["outputs"] for one in output.answers]
    scales = page.context["shown"].scales
    for one in shown:
        mean, deviation = scales[one.answer.judgment.annotator.username]
        assert one.z == pytest.approx((one.answer.values["score"] - mean) / deviation)


def test_answers_about_a_document_are_beside_its_segments(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    ask_questions(test_set)
    campaign = make_planned_campaign(test_set, cast, protocol="gisting", systems=[WOMBAT])
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, payload=answers(what=""))
    find_disagreement(campaign)
    page = page_of(campaign, client_of(cast.researcher), f"?segment={segment_named(campaign, 'harbour:2').pk}")
    table = page[page.index('id="document-scores"') :]
    assert "Correct answers" in table
    assert "of 2" in table
    assert f"Why, in harbour? <b>{RIGHT_CHOICE}</b>" in table
    assert "What, in harbour? <b>–</b>" in table
    assert table.count("</tr>") == 2, "what is counted out of is no row of its own"
    assert "whole document" in page


def test_a_rank_is_beside_its_system(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="ranking", options={"systems_per_item": 2})
    for item in items_to_judge(take(campaign, cast.annotator)):
        ranks = {slot.label: {"rank": place} for place, slot in enumerate(item.slots.order_by("label"), start=1)}
        judge(item, payload={"slots": ranks, "comment": "", "cannot_judge": None})
    sheet = segment_sheet(campaign, segment_named(campaign, "harbour:1"), None)
    others = {output.systems[0]: [answer.others_shown for answer in output.answers] for output in sheet.outputs}
    for system, screens in others.items():
        for (other,) in screens:
            assert (system,) in others[other]
    assert f"beside <bdi>{WOMBAT}</bdi>" in page_of(campaign, client_of(cast.researcher))


def test_metrics_have_their_names_beside_outputs(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": ["bleu", "chrf++"]})
    find_disagreement(campaign)
    page = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/segments/").content.decode()
    assert re.search(r'<bdi>BLEU</bdi> <span class="num">\d+\.\d</span>', page)
    assert '<option value="chrf++">chrF++</option>' in page
    assert not re.search(r"<bdi>bleu</bdi>", page)


def test_scores_of_a_metric_have_the_same_decimals_beside_all_outputs() -> None:
    output = Output(Translation(), (), (), (), metrics={"bleu": 7.81, "owl": 0.5, "yak": 7.2})
    largest = {"bleu": 8.2, "owl": 0.9, "yak": 80.0}
    shown = ShownOutput(output, SafeString(), None, 0, [], None, most_by_metric=largest)
    assert shown.metrics == [("BLEU", "7.8"), ("owl", "0.500"), ("yak", "7.2")]


@pytest.mark.usefixtures("disagreement")
def test_what_is_set_is_listed_in_words_each_with_its_own_way_out(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    query = "?spread=1.50&decided=no&system=Nobody&gap=x&segment=&sort=text"
    context = client_of(cast.researcher).get(f"/campaigns/{campaign.slug}/segments/{query}").context
    chips = {label: (value, without) for label, value, without in context["chips"]}
    assert {label: value for label, (value, _without) in chips.items()} == {
        "Minimum spread": "1.5",
        "Adjudicated": "No",
    }
    assert "decided=no" in chips["Minimum spread"][1]
    assert "spread" not in chips["Minimum spread"][1]
    assert "sort=text" in chips["Adjudicated"][1], "an order is not a filter"


def test_errors_that_metrics_mark_are_in_the_text_with_a_sign_that_the_legend_explains(
    test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    campaign = make_mqm(test_set, cast, name="Marked")
    segment = segment_named(campaign, "harbour:3")
    for translation in segment.translations.filter(system__name__in=(WOMBAT, QUOKKA)).select_related("system"):
        marks = [(0, 4, "major")] if translation.system.name == WOMBAT else []
        store_marks(translation, "comet:xcomet-xl", *marks)
    page = page_of(campaign, client_of(cast.researcher), f"?segment={segment.pk}")
    assert "M1 <bdi>COMET (xcomet-xl)</bdi>" in page
    assert page.count('data-by="metric"') == 1
    assert "<b>M1</b></i>" in page
    assert page.count("Marked by COMET (xcomet-xl)") == 2
    assert page.count("no errors") == 1
