from typing import Any

from django.core.management.base import CommandError

from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign
from demo.campaigns import DEMO_CAMPAIGNS
from demo.making import make_demo


class Command(WorkingCommand):
    help = "Fill the database with small campaigns of our own texts, for each protocol, with judgments and results."

    def handle(self, *_args: Any, **options: Any) -> None:
        if Campaign.objects.filter(name__in=[demo.spec.name for demo in DEMO_CAMPAIGNS]).exists():
            raise CommandError("The demo already exists; nothing was changed.")
        campaigns = make_demo()
        if options["verbosity"]:
            self.stdout.write(f"Made {'; '.join(campaign.name for campaign in campaigns)}.")
