"""Work in the background, whatever it is about: a run waits, is claimed, performed and ended (`actions.py`).

No subject is known here. A room describes its work as a `RunKind`; `RUN_KINDS` in the settings says where each is.
"""
