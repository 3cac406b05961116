from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0002_campaign_archived_deleted"),
    ]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="additions",
            field=models.JSONField(blank=True, default=list),
        ),
    ]
