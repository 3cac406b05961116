import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("campaigns", "0012_consent_of_programs"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="made_with",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="made_tokens",
                to="campaigns.apitoken",
            ),
        ),
    ]
