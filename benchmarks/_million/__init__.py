"""The parts of `./assay bench million`; the suite makes the same campaigns five hundred times smaller."""
