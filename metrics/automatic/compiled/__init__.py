"""Counting in machine code: whole batches of texts as flat arrays of whole numbers, counts out.

Each kernel counts exactly what the metric's plain form beside it counts; the plain form is the definition. numba
compiles a kernel when it is first used and keeps the machine code on disk, where all processes find it. Only
`flat.py` may be imported without it: what is small is counted by the plain form, which starts at once.
"""
