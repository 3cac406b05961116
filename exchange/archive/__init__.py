"""A whole campaign as one file, and a campaign made from such a file: nothing that counts is lost between the two."""

FORMAT = "assay-archive"
VERSION = 1
MANIFEST = "manifest.json"
MEDIA = "media"
