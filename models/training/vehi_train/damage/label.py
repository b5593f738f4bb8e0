"""Labels by eye: records the labeller of each photo, and builds the data folder for training.

With `--collect NAME FILE=WHO ...`, the lines of each FILE are added to labels/NAME.jsonl, labelled by WHO; later files
take precedence. Without it, `--out FOLDER` gets damage/ (train, val) and more/damage/ (train) as COCO files with links
to the pictures. Training photos that repeat a validation photo (labels/repeats.jsonl, made by `repeats`) are omitted.
"""
from collections import Counter
import json
from pathlib import Path

import cv2

from ..context import PACKAGE_HOME, Context
from . import eye

FOLDER = PACKAGE_HOME / "labels"
SETS = ("damage-more", "damage-train", "damage-val")
MORE_SOURCES = {"j7yeox": "carparts-j7yeo-by-eye", "lyceix": "vehicle-damage-lycei-by-eye"}
MORE_LICENCE = "CC BY 4.0 (stated)"
AGREEING_IOU = 0.5


def add_arguments(parser) -> None:
    parser.add_argument("--collect", nargs="+", metavar=("NAME", "FILE=WHO"),
                        help=f"add label lines to labels/NAME.jsonl; NAME: {', '.join(SETS)}")
    parser.add_argument("--agreement", nargs=2, type=Path, metavar=("FILE", "AGAIN"),
                        help="how far two labellers agree on the photos that both looked at")
    parser.add_argument("--out", type=Path, help="data folder to build; train with `--data` on it")
    parser.add_argument("--snapped", action="store_true", help="with --out: training boxes as `snap` noted them")


def run(context: Context) -> None:
    args = context.args
    if args.collect:
        collect(args.collect[0], args.collect[1:])
    elif args.agreement:
        print(json.dumps(agreement(*(eye.read_lines(path) for path in args.agreement))))
    elif args.out:
        build(context.data, args.out, args.snapped)
    else:
        raise SystemExit("label: say --collect, --agreement or --out")


def collect(name: str, sources: list[str]) -> None:
    """Merges label files into labels/NAME.jsonl; each line lists its labellers in chronological order."""
    if name not in SETS:
        raise SystemExit(f"--collect {name}: there are {', '.join(SETS)}")
    path = FOLDER / f"{name}.jsonl"
    decisions = eye.read_lines(path) if path.exists() else {}
    for source in sources:
        file, _, who = source.partition("=")
        if not who:
            raise SystemExit(f"--collect {source}: say who decided, as FILE=WHO")
        for photo, decision in eye.read_lines(Path(file)).items():
            before = decisions.get(photo, {}).get("by", [])
            own = {key: decision[key] for key in ("file", "boxes", "clean", "skip") if key in decision}
            decisions[photo] = {**own, "by": [*(one for one in before if one != who), who]}
    eye.write_lines(path, decisions)
    skipped = sum("skip" in decision for decision in decisions.values())
    print(f"{path}: {len(decisions)} photos, {skipped} of them left out")


def build(data: Path, out: Path, snapped: bool = False) -> None:
    """Writes the COCO files with the labels by eye, and links to the pictures of `data`. `snapped` uses the training
    boxes recorded by `snap`; validation boxes stay as drawn."""
    damage, more = out / "damage", out / "more" / "damage"
    repeats = eye.read_repeats(FOLDER / "repeats.jsonl")
    for folder in (damage, more):
        folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "val"):
        former = json.loads((data / "damage" / f"{split}.json").read_text())
        images = former["images"] if split == "val" else [one for one in former["images"] if one["file_name"] not in repeats]
        _write(damage / f"{split}.json", _coco(images, former["annotations"], _decisions(f"damage-{split}", snapped and split == "train")))
        _link(damage / split, data / "damage" / split)
    _link(out / "parts", data / "parts")
    decisions = _decisions("damage-more", snapped)
    photos = data / "damage-more" / "photos"
    there = [name for name in sorted(decisions)
             if "skip" not in decisions[name] and name not in repeats and (photos / name).exists()]
    _write(more / "train.json", _coco([_image(number, photos / name) for number, name in enumerate(there, 1)], [], decisions))
    _link(more / "train", photos)


def _decisions(name: str, snapped: bool) -> dict[str, dict]:
    path = FOLDER / f"{name}.jsonl"
    decisions = eye.read_lines(path) if path.exists() else {}
    return eye.with_snapped(decisions, eye.read_snapped(FOLDER / "snapped.jsonl", name)) if snapped else decisions


def _coco(images: list[dict], annotations: list[dict], decisions: dict[str, dict]) -> dict:
    former: dict[int, list[dict]] = {}
    for one in annotations:
        former.setdefault(one["image_id"], []).append(one)
    return eye.coco_of(images, decisions, former)


def _image(number: int, path: Path) -> dict:
    picture = cv2.imread(str(path))
    if picture is None:
        raise SystemExit(f"{path}: cannot be read as a picture; fetch the data again")
    height, width = picture.shape[:2]
    source = MORE_SOURCES[path.name.partition("_")[0]]
    return {"id": number, "file_name": path.name, "width": width, "height": height, "source": source, "licence": MORE_LICENCE}


def _write(path: Path, coco: dict) -> None:
    path.unlink(missing_ok=True)
    path.write_text(json.dumps(coco))
    names = Counter(eye.LABELS[one["category_id"]] for one in coco["annotations"])
    looked = sum(image["source"].endswith("-by-eye") for image in coco["images"])
    print(f"{path}: {len(coco['images'])} photos ({looked} by eye), {len(coco['annotations'])} boxes: "
          + ", ".join(f"{name} {count}" for name, count in names.most_common()))


def _link(path: Path, target: Path) -> None:
    if path.is_symlink():
        path.unlink()
    path.symlink_to(target.resolve())


def agreement(one: dict[str, dict], other: dict[str, dict]) -> dict[str, float]:
    """Compares the sure boxes of two labellers: fraction overlapping, at IoU 0.5, with the same class, and with the
    same class and certainty. The other's doubtful boxes count as matched but not as equally certain."""
    counts: Counter = Counter()
    both = [file for file in one if file in other and "skip" not in one[file] and "skip" not in other[file]]
    for file in both:
        for mine, theirs in ((one[file], other[file]), (other[file], one[file])):
            for name, *box in mine["boxes"]:
                if name.endswith(eye.DOUBT):
                    continue
                counts["boxes"] += 1
                near = [(their, *_overlap(box, corners)) for their, *corners in theirs["boxes"]]
                counts["touched"] += any(iou >= 0.1 or inside >= 0.5 for _, iou, inside in near)
                met = [their for their, iou, _ in near if iou >= AGREEING_IOU]
                counts["at_iou_50"] += bool(met)
                counts["same_class"] += any(their.removesuffix(eye.DOUBT) == name for their in met)
                counts["same_class_and_sure"] += name in met
    shares = {key: round(counts[key] / max(1, counts["boxes"]), 3)
              for key in ("touched", "at_iou_50", "same_class", "same_class_and_sure")}
    return {"photos": len(both), "boxes": counts["boxes"], **shares}


def _overlap(a: list[float], b: list[float]) -> tuple[float, float]:
    """Returns the IoU of two boxes, and the fraction of the smaller one inside the other."""
    width, height = (min(a[k + 2], b[k + 2]) - max(a[k], b[k]) for k in (0, 1))
    shared = max(0.0, width) * max(0.0, height)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return shared / (sum(areas) - shared), shared / min(areas)
