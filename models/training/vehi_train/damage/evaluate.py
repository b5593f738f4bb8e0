"""Evaluates an exported detector on the validation pictures; `--write` stores calibration and figures in the manifest
and in the tables of the model card.

Calibration is fitted on validation; its error (ECE) is cross-validated over five folds of the pictures.
"""
import hashlib
import json
import math
from pathlib import Path

import cv2
import numpy as np
import onnx

from .. import manifest, onnx_node
from ..context import Context
from . import average_precision as ap
from .calibrate import Curve, expected_calibration_error, fit, threshold
from .card import write_card
from .dataset import Sample, load, normalise
from .detect import LOWEST_SCORE, MEMBERS, NMS_IOU, Members, findings
from .export import FILE_NAME
from .labels import LABELS
from .misses import mixed_up, recall_by, without_faults
from .prepare import extra_sets

FOLDS, FOLD_SEED = 5, 4  # the same folds for every model, so their errors are comparable
PURPOSES = ("default", "high")


def add_arguments(parser) -> None:
    parser.add_argument("--model", type=Path, help="ONNX file; default: the shipped float32 model")
    parser.add_argument("--write", action="store_true", help="put calibration and figures into the manifest and the card")


def detect_onnx(model: Path, samples: list[Sample], threads: int = 1) -> tuple[list[np.ndarray], np.ndarray]:
    """Returns the findings of each sample from onnxruntime-node, and milliseconds per run."""
    size, members = input_side(model), members_of(model)
    results, times = [], []
    for start in range(0, len(samples), 100):
        pictures = [s.picture for s in samples[start : start + 100]]
        images = np.stack([normalise(cv2.resize(p, (size, size), interpolation=cv2.INTER_AREA)) for p in pictures])
        outputs, ms = onnx_node.run(model, images, threads)
        results += [findings(b, s, size, members) for b, s in zip(outputs["boxes"], outputs["scores"])]
        times.append(ms)
    return results, np.concatenate(times)


def detect_once(context: Context, model: Path, split: str) -> tuple[list[np.ndarray], np.ndarray]:
    """Runs `detect_onnx` on a prepared split; caches the result in the run's folder under the model's hash."""
    digest = hashlib.sha256(model.read_bytes() + f"{NMS_IOU} {LOWEST_SCORE} voted".encode()).hexdigest()[:16]
    kept = context.run_dir / f"findings-{split}-{digest}.npz"
    if not kept.exists():
        detections, ms = detect_onnx(model, load(context, split))
        counts = np.array([len(found) for found in detections])
        np.savez(kept, findings=np.concatenate(detections), counts=counts, ms=ms)
    table = np.load(kept)
    return np.split(table["findings"], np.cumsum(table["counts"])[:-1]), table["ms"]


def input_side(model: Path) -> int:
    return onnx.load(str(model)).graph.input[0].type.tensor_type.shape.dim[-1].dim_value


def members_of(model: Path) -> Members:
    """Returns rows and weights of a file's networks from its metadata; empty for a single network."""
    noted = {prop.key: prop.value for prop in onnx.load(str(model)).metadata_props}
    return [(rows, weight) for rows, weight in json.loads(noted.get(MEMBERS, "[]"))]


def curves_of(samples: list[Sample], detections: list[np.ndarray]) -> list[Curve]:
    return [fit(*ap.judged(samples, detections, label)[:2]) for label in range(len(LABELS))]


def cross_validated(samples: list[Sample], detections: list[np.ndarray]):
    """Returns cross-validated confidences and true positives per class."""
    fold = np.random.default_rng(FOLD_SEED).permutation(len(samples)) % FOLDS
    said = [[] for _ in LABELS]
    for k in range(FOLDS):
        others = [i for i in range(len(samples)) if fold[i] != k]
        own = [i for i in range(len(samples)) if fold[i] == k]
        curves = curves_of([samples[i] for i in others], [detections[i] for i in others])
        for label, curve in enumerate(curves):
            scores, right, _ = ap.judged([samples[i] for i in own], [detections[i] for i in own], label)
            said[label].append((curve(scores), right))
    return [tuple(np.concatenate(side) for side in zip(*parts)) for parts in said]


def choose_thresholds(samples, detections, clean, curves: list[Curve], settings: dict) -> dict[str, dict[str, float]]:
    """Chooses thresholds: `default` for precision, `high` for recall. Per class, at most a given fraction of the clean
    photos may raise a false alarm."""
    chosen: dict[str, dict[str, float]] = {purpose: {} for purpose in PURPOSES}
    for label, name in enumerate(LABELS):
        scores, right, boxes = ap.judged(samples, detections, label)
        highest = sorted((curves[label](d[d[:, 5] == label][:, 4].max(initial=0.0)) for d in clean), reverse=True)
        for purpose in PURPOSES:
            wanted = settings[purpose]
            value = threshold(curves[label](scores), right, boxes, wanted["precision"], settings["slack"])
            value = max(value, wanted.get("least_confidence_of", {}).get(name, wanted["least_confidence"]))
            allowed = math.floor(wanted["clean_alarms_per_class"] * len(clean))
            if value < highest[allowed]:
                value = float(highest[allowed]) + 0.005
            chosen[purpose][name] = round(min(value, 0.99), 3)
        chosen["high"][name] = min(chosen["high"][name], chosen["default"][name])
    return chosen


def alarms(clean: list[np.ndarray], curves: list[Curve], thresholds: dict[str, float]) -> dict[str, float]:
    """Returns the fraction of clean photos with any finding at these thresholds, in total and per class."""
    per_class = {name: float(np.mean([bool((curves[label](d[d[:, 5] == label][:, 4]) >= thresholds[name]).any())
                                      for d in clean])) for label, name in enumerate(LABELS)}
    any_class = [any((curves[label](d[d[:, 5] == label][:, 4]) >= thresholds[name]).any()
                     for label, name in enumerate(LABELS)) for d in clean]
    return {"any": float(np.mean(any_class)), **per_class}


def at_thresholds(samples, detections, curves, thresholds: dict[str, float]) -> dict[str, dict[str, float]]:
    """Returns precision and recall per class."""
    table = {}
    for label, name in enumerate(LABELS):
        scores, right, boxes = ap.judged(samples, detections, label)
        kept = curves[label](scores) >= thresholds[name]
        table[name] = {"precision": float(right[kept].mean()) if kept.any() else float("nan"),
                       "recall": float(right[kept].sum() / max(boxes, 1)), "findings": int(kept.sum()), "boxes": boxes}
    return table


def measure(samples, detections, clean, settings: dict) -> dict:
    """Computes all figures of a model's findings, with their curves and thresholds."""
    curves = curves_of(samples, detections)
    thresholds = choose_thresholds(samples, detections, clean, curves, settings)
    unseen = cross_validated(samples, detections)
    shown = [(said >= thresholds["high"][name], said, right) for name, (said, right) in zip(LABELS, unseen)]
    said, right = (np.concatenate([parts[k][parts[0]] for parts in shown]) for k in (1, 2))
    return {
        "calibration": {name: curve.as_json() for name, curve in zip(LABELS, curves)},
        "thresholds": thresholds,
        "ap50": ap.average_precision(samples, detections),
        "ap50_95": ap.average_precision(samples, detections, ap.COCO_IOUS),
        "at": {purpose: at_thresholds(samples, detections, curves, thresholds[purpose]) for purpose in PURPOSES},
        "clean_alarms": {purpose: alarms(clean, curves, thresholds[purpose]) for purpose in PURPOSES},
        "recall_by": {purpose: recall_by(samples, detections, curves, thresholds[purpose]) for purpose in PURPOSES},
        "without_faults": without_faults(samples, detections),
        "mixed_up": {purpose: mixed_up(samples, detections, curves, thresholds[purpose]) for purpose in PURPOSES},
        "ece": expected_calibration_error(said, right.astype(float)),
        "ece_per_class": {name: expected_calibration_error(own, ok.astype(float)) for name, (own, ok) in
                          zip(LABELS, ((s[k], r[k]) for k, s, r in shown))},
    }


def rounded(value, digits: int = 3):
    if isinstance(value, dict):
        return {key: rounded(inner, digits) for key, inner in value.items()}
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, digits)
    return value


def run(context: Context) -> None:
    model = context.args.model or context.models / FILE_NAME
    samples, clean = load(context, "val"), load(context, "clean")
    detections, ms = detect_once(context, model, "val")
    clean_detections, _ = detect_once(context, model, "clean")
    result = measure(samples, detections, clean_detections, context.config["thresholds"])
    _print(result, ms)
    (context.run_dir / "evaluation.json").write_text(json.dumps(rounded(result), indent=1))
    if context.args.write:
        _write(context, result, len(samples), len(clean), float(np.median(ms)))


def _print(result: dict, ms: np.ndarray) -> None:
    print(f"{'class':14} AP50  AP50:95  default: conf  prec   rec   alarms  high: conf  prec   rec")
    for name in (*LABELS, "mean"):
        row = f"{name:14} {result['ap50'][name]:.3f} {result['ap50_95'][name]:.3f}"
        for purpose in PURPOSES if name != "mean" else ():
            at = result["at"][purpose][name]
            row += (f"   {result['thresholds'][purpose][name]:.3f} {at['precision']:.3f} {at['recall']:.3f}"
                    f" {result['clean_alarms'][purpose][name]:.3f}")
        print(row)
    for group, default in sorted(result["recall_by"]["default"].items()):
        high = result["recall_by"]["high"][group]
        print(f"recall, {group}: {default['recall']:.3f} default, {high['recall']:.3f} high, of {default['boxes']} boxes")
    for purpose in PURPOSES:
        print(f"mixed up at {purpose} (labelled, said, times): {result['mixed_up'][purpose]}")
    print(f"mean AP50 without one kind of fault: {rounded(result['without_faults'])}")
    share = {purpose: round(result["clean_alarms"][purpose]["any"], 3) for purpose in PURPOSES}
    print(f"clean photos with an alarm: {share}; ECE {result['ece']:.3f}; {np.median(ms):.1f} ms per pass, one thread")


def _write(context: Context, result: dict, photos: int, clean: int, ms: float) -> None:
    entry = manifest.read_entry(context.models, "damage")
    if not entry:
        raise SystemExit("manifest.json has no damage entry: run export first")
    result = rounded(result)
    entry["calibration"] = result["calibration"]
    entry["training_data"] = training_data(context)
    entry["measured"] = {
        "data": f"validation split, {photos} photos; classes a source does not label left out; {clean} held-out clean photos",
        "command": f"cd models/training && python3 -m vehi_train evaluate --config {context.args.config}",
        **{key: result[key] for key in ("ap50", "ap50_95", "at", "clean_alarms", "ece", "ece_per_class")},
        "ms_per_pass_one_thread": round(ms, 1),
    }
    manifest.write_entry(context.models, entry)
    write_card(context.models / "damage.md", entry, result, context.config["floors"])


def training_data(context: Context) -> list[dict]:
    """Lists the sources of the training split and extra sets with licence, number of pictures and labelled classes."""
    files = [context.data / "damage" / "train.json",
             *(folder / "damage" / "train.json" for folder in extra_sets(context).values())]
    images = [image for file in files for image in json.loads(file.read_text())["images"]]
    sources: dict[tuple[str, str], dict] = {}
    for image in images:
        row = sources.setdefault((image["source"], image["licence"]),
                                 {"source": image["source"], "licence": image["licence"], "images": 0, "labels": []})
        row["images"] += 1
        row["labels"] = [name for name in LABELS if name in row["labels"] or name in image["labelled"]]
    clean = len(load(context, "train")) - len(images)
    negatives = {"source": "DSMLR Car Parts (undamaged cars, as negatives)", "licence": "none stated",
                 "images": clean, "labels": list(LABELS)}
    return [*sorted(sources.values(), key=lambda row: -row["images"]), negatives]
