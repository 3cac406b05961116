"""Anchors: labelled marks under a slider from 0 to 100."""


def anchors_fit(anchors: object) -> bool:
    """Whether these are pairs of a whole number from 0 to 100 and a label, in rising order."""
    if not isinstance(anchors, tuple):
        return False
    for anchor in anchors:
        if not (isinstance(anchor, tuple) and len(anchor) == 2 and isinstance(anchor[1], str)):
            return False
        if isinstance(anchor[0], bool) or not isinstance(anchor[0], int) or not 0 <= anchor[0] <= 100:
            return False
    places = [anchor[0] for anchor in anchors]
    return places == sorted(set(places))
