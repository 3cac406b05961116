"""Which programs' campaigns are read, by the names that commands and pages know them by."""

from collections.abc import Callable

from campaigns.reading.problems import Problems
from exchange.appraise_campaigns import read_batches
from exchange.pearmut_campaigns import read_campaign_file
from exchange.read_campaigns import CampaignSource, ReadCampaign

PEARMUT, APPRAISE = "pearmut", "appraise-json"
READERS: dict[str, Callable[[CampaignSource, Problems], ReadCampaign | None]] = {
    PEARMUT: read_campaign_file,
    APPRAISE: read_batches,
}
ALIASES = {"pearmut-json": PEARMUT}
