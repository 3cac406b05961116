"""Lists that people paste, read row by row, and their errors; whole files are read in exchange."""
