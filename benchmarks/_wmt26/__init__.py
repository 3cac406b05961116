"""The parts of `./assay bench wmt26`: an installation of many campaigns, its annotators and its organiser."""
