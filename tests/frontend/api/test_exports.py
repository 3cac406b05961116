"""Files by the API are those of the pages."""

from campaigns.models import Campaign
from exchange.exports import FORMATS, export_rows
from frontend.api.exports import MEDIA_TYPES
from tests.frontend.api.api_annotator import ApiAnnotator
from tests.planned_campaign import items_to_judge, judge, take

SLUG = "campaigns/planned-campaign"


def test_every_format_is_offered_under_a_media_type_the_schema_names(rhea: ApiAnnotator) -> None:
    offered = rhea.get(f"{SLUG}/exports").json()["results"]
    assert [each["name"] for each in offered] == list(FORMATS)
    assert {each["content_type"].partition(";")[0] for each in offered} <= set(MEDIA_TYPES)


def test_a_file_is_what_the_export_writes_whatever_is_accepted(rhea: ApiAnnotator, planned: Campaign) -> None:
    annotator = planned.memberships.get(account__username="anna").account
    judge(items_to_judge(take(planned, annotator))[0])
    answer = ApiAnnotator(rhea.client, rhea.headers | {"Accept": "image/png"}).get(f"{SLUG}/exports/csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert b"".join(answer.streaming_content) == b"".join(export_rows(planned, "csv"))
    assert rhea.get(f"{SLUG}/exports/none").status_code == 404


def test_names_become_codes_and_a_wish_nobody_knows_is_refused(rhea: ApiAnnotator, planned: Campaign) -> None:
    annotator = planned.memberships.get(account__username="anna").account
    judge(items_to_judge(take(planned, annotator))[0])
    file = b"".join(rhea.get(f"{SLUG}/exports/csv?names=codes&annotators=included").streaming_content)
    assert b",annotator-" in file
    assert b",anna," not in file
    for wrong in ("names=code", "annotators=all", "name=codes"):
        assert rhea.get(f"{SLUG}/exports/csv?{wrong}").status_code == 422, "a name must not slip out"


def test_how_much_is_in_a_file_is_told_before(rhea: ApiAnnotator, planned: Campaign) -> None:
    judge(items_to_judge(take(planned, planned.memberships.get(account__username="anna").account))[0])
    whole = rhea.get(f"{SLUG}/exports/csv/size").json()
    measured = {"rows": 1, "size": len(b"".join(export_rows(planned, "csv"))), "is_exact": True}
    assert whole == {**measured, "refused": [], "notes": []}
    assert rhea.get(f"{SLUG}/exports/csv/size?names=codes").json()["size"] != whole["size"]
    assert rhea.get(f"{SLUG}/exports/none/size").status_code == 404
    assert rhea.get(f"{SLUG}/exports/csv/size?names=x").status_code == 422


def test_the_archive_is_sent(rhea: ApiAnnotator) -> None:
    answer = rhea.get(f"{SLUG}/archive")
    assert answer["Content-Type"] == "application/zip"
    assert b"".join(answer.streaming_content)[:2] == b"PK"


def test_what_a_format_cannot_hold_is_said_with_the_size_and_instead_of_the_file(
    rhea: ApiAnnotator, planned: Campaign
) -> None:
    told = rhea.get(f"{SLUG}/exports/mt-metrics-eval-ratings/size").json()
    assert (told["rows"], told["notes"]) == (None, [])
    assert "It takes: cesa, esa, mqm." in told["refused"][0]
    answer = rhea.get(f"{SLUG}/exports/mt-metrics-eval-ratings")
    assert (answer.status_code, answer.json()["errors"]) == (422, {"format": told["refused"]})
    judge(items_to_judge(take(planned, planned.memberships.get(account__username="anna").account))[0])
    notes = rhea.get(f"{SLUG}/exports/pearmut/size").json()["notes"]
    assert "Pauses within a screen are not in the file" in notes[-1]


def test_labels_of_a_crowd_are_for_organisers(olive: ApiAnnotator, rhea: ApiAnnotator) -> None:
    address = f"{SLUG}/exports/csv?labels=crowd"
    assert olive.get(address).status_code == 200
    assert set(rhea.get(address).json()["errors"]) == {"labels"}
    assert set(olive.get(f"{address}&names=codes").json()["errors"]) == {"labels"}
