"""Detections of the shipped detector in a training photo, matched with the labels drawn by eye."""
import numpy as np

SAME_PLACE = 0.5
# As in `npm run models:measure -- finds`: an overlapping finding and label match; a far larger box is ignored.
LEAST_IOU, LEAST_INSIDE, TOO_LARGE = 0.1, 0.5, 10.0


def overlaps(a, b) -> tuple[float, float]:
    """Returns the IoU of two boxes (left, top, right, bottom), and the fraction of the smaller one inside the other."""
    across = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    down = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    shared, one, other = across * down, area(a), area(b)
    return shared / (one + other - shared + 1e-9), shared / (min(one, other) + 1e-9)


def area(box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def touches(a, b) -> bool:
    iou, inside = overlaps(a, b)
    return iou >= LEAST_IOU or inside >= LEAST_INSIDE


def examples_of(found: np.ndarray, labels, doubtful, settings: dict) -> list[dict]:
    """Returns the examples of one photo: `box` as fractions of the photo, `damage` 0 or 1, `kind` (label number),
    `missed` by the detector.

    `found` [n,6] are the detector's findings by score, descending; `labels` and `doubtful` [m][5] are boxes with their
    label. A finding that only overlaps a doubtful box is ignored.
    """
    chosen: list[dict] = []
    for *box, score, label in found.tolist():
        if score < settings["least_score"] or any(overlaps(box, one["box"])[0] > SAME_PLACE for one in chosen):
            continue
        near = [one for one in labels if touches(box, one[:4])]
        if near and area(box) > TOO_LARGE * sum(area(one) for one in near):
            continue
        if not near and any(touches(box, one[:4]) for one in doubtful):
            continue
        kind = max(near, key=lambda one: overlaps(box, one[:4])[0])[4] if near else label
        chosen.append({"box": box, "damage": int(bool(near)), "kind": int(kind), "missed": False})
    right = [one for one in chosen if one["damage"]][: settings["most_of_photo"]]
    wrong = [one for one in chosen if not one["damage"]]
    missed = [
        {"box": list(one[:4]), "damage": 1, "kind": int(one[4]), "missed": True}
        for one in labels
        if not any(touches(found_one["box"], one[:4]) for found_one in chosen)
    ]
    most_wrong = settings["most_wrong"] if labels else settings["most_of_photo"]
    return right + wrong[:most_wrong] + missed[: settings["most_missed"]]
