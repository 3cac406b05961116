"""The parts of `./assay bench pages`; the suite walks the same addresses on campaigns a thousand times smaller."""
