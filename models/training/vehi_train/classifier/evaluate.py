"""Evaluates the shipped classifier on crops of validation photos: separation of damage from none, and accuracy of the
class. `npm run models:fit` and `npm run models:measure -- finds` measure its effect on inspections."""
import json

import numpy as np
import torch

from .. import manifest, onnx_node
from ..context import Context
from ..damage.labels import LABELS
from .export import FILE_NAME
from .model import normalised
from .prepare import files


def add_arguments(parser) -> None:
    parser.add_argument("--write", action="store_true", help="put the figures into the manifest")


def run(context: Context) -> None:
    pixels, facts = files(context)
    known = json.loads(facts.read_text())
    chosen = [k for k, one in enumerate(known) if one["split"] == "val"]
    damage, kinds = run_onnx(context, np.load(pixels, mmap_mode="r")[chosen], np.array([known[k]["box"] for k in chosen]))
    truth, kind = (np.array([known[k][name] for k in chosen]) for name in ("damage", "kind"))
    right = (kinds.argmax(1) == kind)[truth == 1]
    figures = {
        "data": f"{len(chosen)} candidates of the detector's validation photos, {int(truth.sum())} of them damage",
        "command": "cd models/training && python3 -m vehi_train evaluate --config configs/classifier.toml",
        "area_under_roc": round(float(area_under_roc(damage, truth)), 3),
        "kind_right": round(float(right.mean()), 3),
        "kind_right_per_class": {
            label: round(float(right[kind[truth == 1] == k].mean()), 3)
            for k, label in enumerate(LABELS) if (kind[truth == 1] == k).any()
        },
    }
    print(json.dumps(figures, indent=1))
    if context.args.write:
        manifest.write_entry(context.models, {**manifest.read_entry(context.models, "classifier"), "measured": figures})


def run_onnx(context: Context, cuts: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Runs the shipped file on crops (uint8 BGR): damage [n], kinds [n,labels]."""
    outputs = []
    for start in range(0, len(cuts), 100):
        images = normalised(cuts[start : start + 100]).numpy()
        outputs.append(onnx_node.run(context.models / FILE_NAME, images, 1, (boxes[start : start + 100],))[0])
    return tuple(np.concatenate([one[name] for one in outputs]).reshape(len(cuts), *shape) for name, shape in (("damage", ()), ("kinds", (len(LABELS),))))


def area_under_roc(scores: np.ndarray, truth: np.ndarray) -> float:
    """Computes the probability that a damage scores higher than a crop without damage, 0 to 1."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(len(scores))
    positives = int((truth > 0).sum())
    return (ranks[truth > 0].sum() - positives * (positives - 1) / 2) / (positives * (len(scores) - positives))


@torch.no_grad()
def predict(model, images: torch.Tensor, boxes) -> np.ndarray:
    """Computes the model's logits for every image and box."""
    said = []
    for start in range(0, len(images), 64):
        with torch.autocast("cpu", torch.bfloat16):
            said.append(model(images[start : start + 64], torch.tensor(boxes[start : start + 64]).float()).float())
    return torch.cat(said).numpy()
