"""Pure statistics: arrays in, frozen results out. Missing values are NaN, randomness is an argument.

Every function says in its docstring what shape it takes, its unit and range, what it does with missing values and
with degenerate input, how it is computed and where that comes from, and shows an example small enough to redo by hand.
"""
