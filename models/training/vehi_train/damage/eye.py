"""Labels drawn by eye (labels/damage-*.jsonl): reading, merging, and conversion to COCO.

Each line is a photo: `file`; `boxes` of [type, left, top, right, bottom] in per cent of the picture, doubtful types
ending in "?", and `clean`; or `skip` with the reason; `by`: the labeller.
"""
import json
from pathlib import Path

from .labels import LABELS

DOUBT = "?"
HUNDREDTHS = 100.0


def read_lines(path: Path) -> dict[str, dict]:
    """Reads the lines of a file by photo; the last line of a photo counts. An invalid line ends the command."""
    decisions: dict[str, dict] = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        try:
            decision = json.loads(line)
            _check(decision)
        except (ValueError, KeyError, TypeError) as error:
            raise SystemExit(f"{path}:{number}: {error}") from None
        decisions[decision["file"]] = decision
    return decisions


def _check(decision: dict) -> None:
    if "/" in decision["file"]:
        raise ValueError(f"file is {decision['file']!r}, needed: a bare name")
    if "skip" in decision:
        return
    for name, left, top, right, bottom in decision["boxes"]:
        if name.removesuffix(DOUBT) not in LABELS:
            raise ValueError(f"type is {name!r}, needed: one of {', '.join(LABELS)}, with ? where in doubt")
        if not (0 <= left < right <= HUNDREDTHS and 0 <= top < bottom <= HUNDREDTHS):
            raise ValueError(f"box {[left, top, right, bottom]} is not left < right, top < bottom in 0 to 100")
    if decision["clean"] != (not decision["boxes"]):
        raise ValueError("clean disagrees with boxes")


def read_repeats(path: Path) -> set[str]:
    """Returns the training photos that show a picture or car of validation; empty if the file is missing."""
    if not path.exists():
        return set()
    return {json.loads(line)["file"] for line in path.read_text().splitlines() if line.strip()}


def read_snapped(path: Path, name: str) -> list[dict]:
    """Reads the boxes recorded by `snap` for labels/NAME.jsonl."""
    if not path.exists():
        raise SystemExit(f"{path} is missing: run the snap command first")
    return [line for line in map(json.loads, path.read_text().splitlines()) if line["set"] == name]


def with_snapped(decisions: dict[str, dict], lines: list[dict]) -> dict[str, dict]:
    """Replaces drawn boxes by snapped ones if unchanged since, and appends the snapping detector to the labeller."""
    result = dict(decisions)
    for line in lines:
        decision = result.get(line["file"])
        if decision is None or line["drawn"] not in decision.get("boxes", []):
            continue
        boxes = [[box[0], *line["box"]] if box == line["drawn"] else box for box in decision["boxes"]]
        by = [*(one for one in decision.get("by", []) if one != line["by"]), line["by"]]
        result[line["file"]] = {**decision, "boxes": boxes, "by": by}
    return result


def write_lines(path: Path, decisions: dict[str, dict]) -> None:
    """Writes one line per photo, sorted by name."""
    path.write_text("".join(json.dumps(decisions[file]) + "\n" for file in sorted(decisions)))


def complete_classes(decision: dict) -> list[str]:
    """Returns the classes for which a photo is fully labelled: all without a doubtful box, since doubtful boxes are
    ignored."""
    doubtful = {name.removesuffix(DOUBT) for name, *_ in decision["boxes"] if name.endswith(DOUBT)}
    return [label for label in LABELS if label not in doubtful]


def boxes_of(decision: dict, width: int, height: int) -> list[tuple[int, list[float]]]:
    """Returns the sure boxes as (category, [x, y, w, h] in pixels)."""
    return [
        (LABELS.index(name), [round(v, 1) for v in (
            left * width / HUNDREDTHS, top * height / HUNDREDTHS,
            (right - left) * width / HUNDREDTHS, (bottom - top) * height / HUNDREDTHS)])
        for name, left, top, right, bottom in decision["boxes"] if not name.endswith(DOUBT)
    ]


def parts_of(decision: dict) -> tuple[list[list], list[list]]:
    """Returns the sure and the doubtful boxes, each [left, top, right, bottom, label] as fractions of the picture."""
    sure, doubtful = [], []
    for name, *box in decision["boxes"]:
        one = [*(value / HUNDREDTHS for value in box), LABELS.index(name.removesuffix(DOUBT))]
        (doubtful if name.endswith(DOUBT) else sure).append(one)
    return sure, doubtful


def coco_of(images: list[dict], decisions: dict[str, dict], former: dict[int, list[dict]]) -> dict:
    """Creates a COCO file of `images`: photos labelled by eye have those labels, skipped photos are omitted, and others
    keep their annotations in `former` (by image id)."""
    kept, annotations = [], []
    for image in images:
        decision = decisions.get(image["file_name"])
        if decision is not None and "skip" in decision:
            continue
        if decision is None:
            kept.append(image)
            own = [{key: one[key] for key in ("category_id", "bbox", "iscrowd")} for one in former.get(image["id"], [])]
        else:
            kept.append({**image, "source": by_eye(image["source"]), "labelled": complete_classes(decision)})
            own = [{"category_id": category, "bbox": bbox, "iscrowd": 0}
                   for category, bbox in boxes_of(decision, image["width"], image["height"])]
        for one in own:
            area = round(one["bbox"][2] * one["bbox"][3], 1)
            annotations.append({"id": len(annotations) + 1, "image_id": image["id"], "area": area, **one})
    categories = [{"id": number, "name": name} for number, name in enumerate(LABELS)]
    return {"images": kept, "annotations": annotations, "categories": categories}


def by_eye(source: str) -> str:
    """Returns the source name of photos that have been labelled by eye."""
    return source if source.endswith("-by-eye") else f"{source}-by-eye"
