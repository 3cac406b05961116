"""Lists that people paste, read row by row, and what is wrong with them; whole files are read in exchange."""
