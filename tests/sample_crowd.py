"""A campaign's link for a crowd."""

from dataclasses import replace

from campaigns.actions.crowds import CrowdSpec, set_crowd
from campaigns.models import Campaign, Crowd

SPEC = CrowdSpec(
    is_open=True,
    places=3,
    completed_address="https://crowd.example/done?pid={participant}&code={code}",
    screened_out_address="https://crowd.example/out?pid={participant}",
    full_address="https://crowd.example/full?pid={participant}&study={study}",
)


def make_crowd(campaign: Campaign, **changed: object) -> Crowd:
    return set_crowd(campaign=campaign, spec=replace(SPEC, **changed), by=None)  # type: ignore[arg-type]
