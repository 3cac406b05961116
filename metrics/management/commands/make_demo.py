from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.models import Campaign
from metrics.demo.making import make_demo

NAMES = ("Harbour news", "Village stories")


class Command(BaseCommand):
    help = "Fill the database with two small campaigns, one finished and one half done, of our own texts."

    def handle(self, *_args: Any, **options: Any) -> None:
        if Campaign.objects.filter(name__in=NAMES).exists():
            raise CommandError("The demo is here already; nothing was changed.")
        campaigns = make_demo()
        if options["verbosity"]:
            self.stdout.write(f"Made {' and '.join(campaign.name for campaign in campaigns)}.")
