"""Questions on the sample test set, with accepted answers that are easy to look for in a response."""

from campaigns.models import Question, QuestionKind, TestSet

RIGHT_CHOICE = "sentinel-fog"  # shown, but nothing may tell that it is right
RIGHT_WORDS = ("sentinel pears", "sentinel apples")
WRONG_CHOICE = "A strike"


def ask_questions(test_set: TestSet) -> None:
    """A choice and a typed answer on each document."""
    for document in test_set.documents.order_by("position"):
        Question.objects.create(
            document=document,
            name="why",
            position=0,
            kind=QuestionKind.CHOICE,
            text=f"Why, in {document.name}?",
            choices=[WRONG_CHOICE, RIGHT_CHOICE, "The text does not say"],
            accepted=[RIGHT_CHOICE],
        )
        Question.objects.create(
            document=document,
            name="what",
            position=1,
            kind=QuestionKind.TEXT,
            text=f"What, in {document.name}?",
            accepted=list(RIGHT_WORDS),
        )


def answers(why: str = RIGHT_CHOICE, what: str = "sentinel pears", comment: str = "") -> dict[str, object]:
    return {"slots": {"A": {"answers": {"why": why, "what": what}}}, "comment": comment, "cannot_judge": None}
