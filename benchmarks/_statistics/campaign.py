"""A campaign of 100,000 slider judgments in a database of its own, made and analysed: `python -m … FOLDER TASK`."""

import json
import os
import sys
import time
import uuid

import django
from django.core.management import call_command

import numpy as np

SYSTEMS, DOCUMENTS, PER_DOCUMENT, ANNOTATORS, PER_OUTPUT = 10, 200, 10, 20, 5
JUDGMENTS = SYSTEMS * DOCUMENTS * PER_DOCUMENT * PER_OUTPUT
NAME = "statistics"


def main() -> int:
    folder, task = sys.argv[1:]
    os.environ["ASSAY_DATA_DIR"] = folder
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    told = _made() if task == "make" else _analysed()
    sys.stdout.write(json.dumps(told) + "\n")
    return 0


def _analysed() -> dict[str, float]:
    from campaigns.models import Campaign  # noqa: PLC0415 - settings must stand before models
    from metrics.analyses import analyse  # noqa: PLC0415
    from metrics.results.codec import to_json  # noqa: PLC0415

    began = time.perf_counter()
    result = to_json(analyse(Campaign.objects.get(slug=NAME), analyses=["ranking", "agreement"]))
    written = len(json.dumps(result, allow_nan=False))
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "judgments": result["judgments"], "characters": written}


def _made() -> dict[str, float]:
    from django.db import transaction  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    with transaction.atomic():
        _fill()
    return {"judgments": JUDGMENTS}


def _fill() -> None:
    """Every output by five of twenty annotators, each of whom has a severity and a spread of their own."""
    from django.utils import timezone  # noqa: PLC0415

    from annotation.models import Assignment, Item, Judgment, Score, Slot  # noqa: PLC0415
    from campaigns.models import (  # noqa: PLC0415
        Account,
        Campaign,
        CampaignStatus,
        Document,
        Segment,
        System,
        TestSet,
        TestSetStatus,
        Translation,
    )

    rng = np.random.default_rng(7)
    now = timezone.now()
    languages = {"source_language": "en", "target_language": "de"}
    test_set = TestSet.objects.create(name=NAME, slug=NAME, status=TestSetStatus.READY, **languages)
    systems = System.objects.bulk_create([System(test_set=test_set, name=f"s{code}") for code in range(SYSTEMS)])
    documents = Document.objects.bulk_create(
        [Document(test_set=test_set, name=f"d{place:03}", position=place) for place in range(DOCUMENTS)]
    )
    segments = Segment.objects.bulk_create(
        [
            Segment(document=document, name=f"{document.name}.{place}", position=place, source="x")
            for document in documents
            for place in range(PER_DOCUMENT)
        ]
    )
    outputs = Translation.objects.bulk_create(
        [Translation(segment=segment, system=system, text="y") for segment in segments for system in systems]
    )
    campaign = Campaign.objects.create(
        name=NAME, slug=NAME, test_set=test_set, protocol="direct_assessment", status=CampaignStatus.CLOSED
    )
    people = Account.objects.bulk_create([Account(username=f"a{code:02}") for code in range(ANNOTATORS)])
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(campaign=campaign, annotator=person, position=place, status="done")
            for place, person in enumerate(people)
        ]
    )
    who = np.argsort(rng.random((len(outputs), ANNOTATORS)), axis=1)[:, :PER_OUTPUT].ravel()
    of_output = np.repeat(np.arange(len(outputs)), PER_OUTPUT)
    quality = rng.normal(0, 18, len(outputs)) + np.tile(np.linspace(-6, 6, SYSTEMS), len(segments))
    noise = rng.normal(0, 12, of_output.size) * rng.uniform(0.7, 1.3, ANNOTATORS)[who]
    scores = np.clip(np.round(60 + quality[of_output] + noise + rng.normal(0, 8, ANNOTATORS)[who]), 0, 100)
    place_of = np.zeros(ANNOTATORS, dtype=np.int64)
    items = []
    for output, person in zip(of_output.tolist(), who.tolist(), strict=True):
        segment = outputs[output].segment
        items.append(
            Item(
                assignment=assignments[person],
                position=int(place_of[person]),
                document=segment.document,
                segment=segment,
                revision=1,
            )
        )
        place_of[person] += 1
    items = Item.objects.bulk_create(items, batch_size=5_000)
    Slot.objects.bulk_create(
        [
            Slot(item=item, label="A", translation=outputs[output], system=outputs[output].system)
            for item, output in zip(items, of_output.tolist(), strict=True)
        ],
        batch_size=5_000,
    )
    judgments = Judgment.objects.bulk_create(
        [
            Judgment(
                item=item,
                annotator=people[person],
                revision=1,
                client_id=uuid.uuid4(),
                answer={"slots": {"A": {"score": score}}},
                submitted_at=now,
                elapsed_ms=15_000,
            )
            for item, person, score in zip(items, who.tolist(), scores.tolist(), strict=True)
        ],
        batch_size=5_000,
    )
    Score.objects.bulk_create(
        [
            Score(judgment=judgment, measure="score", value=score, translation=outputs[output])
            for judgment, score, output in zip(judgments, scores.tolist(), of_output.tolist(), strict=True)
        ],
        batch_size=5_000,
    )


if __name__ == "__main__":
    sys.exit(main())
