"""Adds the output `vehicle` to the classifier: log odds that a whole picture shows a vehicle, for the product's check
(models/vehicle.md). A logistic regression on the pooled features of the picture, fitted beside the vehicle check's
score: a picture shows a vehicle if e^vehicle x (score + FLOOR) is at least 1."""
import json
from argparse import ArgumentParser
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from scipy.optimize import minimize
from scipy.special import expit

from .. import manifest
from ..context import PACKAGE_HOME, Context
from .cuts import SIDE

FEATURES = "/classifier/Concat_output_0"  # 4,096 pooled features
FLOOR = 0.01         # added to the vehicle check's score, so that its zero is no veto
CARS = 600           # pictures of the damage data
WEIGHT_DECAY = 500.0
FOLDS = 5
LOST = 1 / 400       # share of car photos that may be refused
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".tif")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--others", type=Path, required=True, help="folder with pictures of other things than vehicles")


def run(context: Context) -> None:
    path = context.models / manifest.read_entry(context.models, "classifier")["weights"]["file"]
    read = open_reader(path, context.models / manifest.read_entry(context.models, "vehicle")["weights"]["file"])
    cars = pictures_of(context.data)
    cars = [cars[k] for k in np.random.default_rng(7).choice(len(cars), min(CARS, len(cars)), replace=False)]
    others = sorted(file for file in context.args.others.rglob("*") if file.suffix.lower() in PICTURES)
    rng, pictures, names, truth = np.random.default_rng(5), [], [], []
    for at, file in enumerate([*cars, *others]):
        picture = cv2.imread(str(file))
        if picture is None or min(picture.shape[:2]) < 200:
            continue
        is_car = at < len(cars)
        views = [picture] if is_car else [picture, crop(picture, rng)]
        pictures += [read(view) for view in views]
        names += [str(file)] * len(views)
        truth += [is_car] * len(views)
    x, scores, truth = (np.array(list(values)) for values in (*zip(*pictures), truth))
    said = np.empty(len(truth))
    fold_of = np.array([sorted(set(names)).index(name) % FOLDS for name in names])
    for fold in range(FOLDS):
        weights, bias = fit(x[fold_of != fold], scores[fold_of != fold], truth[fold_of != fold])
        at = fold_of == fold
        said[at] = x[at] @ weights + bias + np.log(scores[at] + FLOOR)
    limit = np.sort(said[truth])[int(LOST * truth.sum())]
    print(f"{truth.sum()} cars, {(~truth).sum()} others: at {limit:.2f} {(said[truth] < limit).sum()} cars and "
          f"{(said[~truth] < limit).mean():.1%} of the others are refused ({FOLDS} folds)")
    weights, bias = fit(x, scores, truth)
    write(path, weights, bias - limit)
    entry = manifest.read_entry(context.models, "classifier")
    entry["outputs"]["vehicle"] = "vehicle"
    entry["weights"] = manifest.weights(context.models, "int8", path.name)
    manifest.write_entry(context.models, entry)


def pictures_of(data: Path) -> list[Path]:
    """Returns the damage photos labelled by eye, but those left out."""
    found = []
    for name, folder in (("damage-more", "damage-more/photos"), ("damage-train", "damage/train")):
        lines = (PACKAGE_HOME / "labels" / f"{name}.jsonl").read_text().splitlines()
        found += [data / folder / line["file"] for line in map(json.loads, lines) if "skip" not in line]
    return [file for file in found if file.exists()]


def crop(picture: np.ndarray, rng) -> np.ndarray:
    height, width = (round(side * rng.uniform(0.25, 0.7)) for side in picture.shape[:2])
    y, x = (int(rng.integers(whole - side + 1)) for whole, side in zip(picture.shape[:2], (height, width)))
    return picture[y : y + height, x : x + width]


def open_reader(classifier: Path, check: Path):
    """Returns a function from a picture (uint8 BGR) to its FEATURES and the vehicle check's score."""
    graph = onnx.load(str(classifier))
    graph.graph.output.append(helper.make_tensor_value_info(FEATURES, onnx.TensorProto.FLOAT, None))
    looking, checking = (onnxruntime.InferenceSession(model) for model in (graph.SerializeToString(), str(check)))
    mean, std = np.float32(manifest.MEAN), np.float32(manifest.STD)

    def planes(picture: np.ndarray, side: int) -> np.ndarray:
        small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)[..., ::-1]
        return np.ascontiguousarray(((small / np.float32(255) - mean) / std).transpose(2, 0, 1)[None])

    def read(picture: np.ndarray) -> tuple[np.ndarray, float]:
        [features] = looking.run([FEATURES], {"images": planes(picture, SIDE), "boxes": np.float32([[0, 0, 1, 1]])})
        entry = checking.get_inputs()[0]
        [score] = checking.run(None, {entry.name: planes(picture, entry.shape[2])})
        return features[0], float(score.ravel()[0])

    return read


def fit(x: np.ndarray, scores: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, float]:
    """Returns weights and bias of x beside log(score + FLOOR), whose weight is scaled to 1; both classes count alike."""
    mean, spread = x.mean(0), x.std(0) + 1e-6
    known = np.column_stack([(x - mean) / spread, np.log(scores + FLOOR), np.ones(len(x))])
    weight = np.where(truth, 0.5 / truth.mean(), 0.5 / (~truth).mean())
    decay = np.array([WEIGHT_DECAY] * x.shape[1] + [0, 0])

    def loss(w):
        p = expit(known @ w)
        lost = -(weight * np.log(np.where(truth, p, 1 - p) + 1e-12)).sum() + 0.5 * (decay * w * w).sum()
        return lost, known.T @ (weight * (p - truth)) + decay * w

    w = minimize(loss, np.zeros(known.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    weights = w[:-2] / spread / w[-2]
    return weights, float(w[-1] / w[-2] - mean @ weights)


def write(path: Path, weights: np.ndarray, bias: float) -> None:
    model = onnx.load(str(path))
    graph = model.graph
    for held in (graph.output, graph.node, graph.initializer):
        for old in [one for one in held if one.name in ("vehicle", "vehicle_sum", "vehicle_weights", "vehicle_bias")]:
            held.remove(old)
    graph.initializer.extend([numpy_helper.from_array(np.float32(weights)[:, None], "vehicle_weights"),
                              numpy_helper.from_array(np.float32([bias]), "vehicle_bias")])
    graph.node.extend([helper.make_node("MatMul", [FEATURES, "vehicle_weights"], ["vehicle_product"], "vehicle"),
                       helper.make_node("Add", ["vehicle_product", "vehicle_bias"], ["vehicle"], "vehicle_sum")])
    graph.output.append(helper.make_tensor_value_info("vehicle", onnx.TensorProto.FLOAT, [1, 1]))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
