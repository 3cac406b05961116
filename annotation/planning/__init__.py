"""Planning: who judges what, and in which order. Pure: ids and a random generator in, a plan out.

documents.py (texts and their systems) → passes.py (items of each document) → blocks.py
(items shown together) → packing.py and colouring.py (into assignments) → controls.py (repeats, degraded items) →
planner.py (calls them, and lays out what they return). Where nobody may read a document twice, its rotations take the
place of most of them. sums.py counts the judgments.
"""
