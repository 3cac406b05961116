from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0017_timesheet_sums")]

    operations = [
        migrations.RemoveIndex(model_name="item", name="item_of_rare_kind"),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                condition=models.Q(("kind", "regular"), _negated=True),
                fields=["kind", "assignment"],
                name="item_of_rare_kind",
            ),
        ),
    ]
