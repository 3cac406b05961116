"""Assay's API for Python programs: one method for each operation, with the types of what goes in and comes out."""

from assay_client.connection import AssayError, Download
from assay_client.generated.operations import Operations

__all__ = ["Assay", "AssayError", "Download"]


class Assay(Operations):
    """A site, by its address, as the account of a token.

    `timeout` in seconds is for each wait for the server. A request that comes too soon (429) or while the site cannot
    answer (503) is sent again, up to `retries` times, after the pause that the server names.
    """
