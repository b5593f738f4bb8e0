"""Adds the output `look` to the parts model: numbers that are alike in photos of one vehicle (`src/domain/sight/vehicles.ts`).

They are the mean and spread of one layer's channels over the vehicle, projected so that they vary little between training
photos that repeat each other (`labels/repeats.jsonl`) and much between others. All learned weights stay as they are.
"""
import json
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from scipy.linalg import eigh

from ..context import PACKAGE_HOME, Context
from ..manifest import read_entry, weights, write_entry
from .export import FILE_NAME
from .scoring import network_input

LAYER = "/model/model/encoder/HardSwish_13_output_0"  # 192 channels, 26 x 26 cells
CELL = 4            # cells of the map along a cell of the layer
NUMBERS = 128
SHRINKAGE = 0.3     # of the spread within a vehicle towards the same in all directions
FOLDERS = ("damage/train", "damage/val", "damage-more/photos")
PREFIX = "look_"


def run(context: Context) -> None:
    path = context.models / FILE_NAME
    vehicles = repeated_vehicles(context.data)
    files = [file for photos in vehicles for file in photos]
    vehicle = np.array([at for at, photos in enumerate(vehicles) for _ in photos])
    read = open_reader(path, context.config["size"])
    seen = np.array([read(cv2.imread(str(file))) for file in files])
    for fold in (0, 1):
        aside = vehicle % 2 == fold
        means, projection = fit(seen[~aside], vehicle[~aside])
        area = area_under_roc((seen[aside] - means) @ projection, vehicle[aside])
        print(f"fold {fold}: pairs of {aside.sum()} photos, area under the ROC curve {area:.3f}")
    write(path, *fit(seen, vehicle))
    entry = read_entry(context.models, "parts")
    entry["outputs"]["look"] = "look"
    entry["weights"] = weights(context.models, "fp32", FILE_NAME)
    entry["version"] = context.config["version"]
    write_entry(context.models, entry)


def repeated_vehicles(data: Path) -> list[list[Path]]:
    """Returns the photos of each vehicle that has several, by the pairs of `repeats.jsonl`."""
    vehicle_of: dict[Path, list[Path]] = {}
    for line in (PACKAGE_HOME / "labels" / "repeats.jsonl").read_text().splitlines():
        pair = [locate(data, json.loads(line)[key]) for key in ("file", "repeats")]
        if None in pair:
            continue
        one, other = (vehicle_of.setdefault(file, [file]) for file in pair)
        if one is not other:
            one += other
            vehicle_of.update((file, one) for file in other)
    return sorted({id(photos): sorted(photos) for photos in vehicle_of.values()}.values())


def locate(data: Path, name: str) -> Path | None:
    return next((file for folder in FOLDERS if (file := data / folder / name).exists()), None)


def open_reader(path: Path, size: int):
    """Returns a function from a picture (uint8 BGR) to the pooled channels."""
    model = onnx.load(str(path))
    pool(model.graph)
    model.graph.output.append(helper.make_tensor_value_info(f"{PREFIX}pooled", TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return lambda picture: session.run(
        [f"{PREFIX}pooled"], {"images": network_input(np.ascontiguousarray(picture[..., ::-1]), size)[None]})[0][0]


def fit(seen: np.ndarray, vehicle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the means to subtract from rows of `seen` and the projection to NUMBERS: the principal components of the
    standardized rows, divided by their spread within a vehicle (linear discriminant analysis)."""
    means, spread = seen.mean(0), seen.std(0) + 1e-6
    standard = (seen - means) / spread
    components = np.linalg.svd(standard, full_matrices=False)[2][:NUMBERS].T
    rows = standard @ components
    apart = np.concatenate([rows[vehicle == one] - rows[vehicle == one].mean(0) for one in np.unique(vehicle)])
    within = apart.T @ apart / (len(rows) - len(np.unique(vehicle)))
    even = np.eye(len(within)) * np.trace(within) / len(within)
    directions = eigh(np.cov(rows.T), (1 - SHRINKAGE) * within + SHRINKAGE * even)[1]
    return means, components @ directions / spread[:, None]


def area_under_roc(looks: np.ndarray, vehicle: np.ndarray) -> float:
    """Returns the share of pairs of one vehicle and of two in which the first is more alike."""
    looks = looks / np.linalg.norm(looks, axis=1, keepdims=True)
    pairs = np.triu_indices(len(looks), 1)
    alike, same = (looks @ looks.T)[pairs], vehicle[pairs[0]] == vehicle[pairs[1]]
    rank = alike.argsort().argsort()
    return (rank[same].mean() - (same.sum() - 1) / 2) / (~same).sum()


def pool(graph: onnx.GraphProto) -> None:
    """Adds nodes that give mean and spread of LAYER's channels, weighted by how likely a cell shows the vehicle."""
    for held in (graph.output, graph.node, graph.initializer):
        for old in [one for one in held if one.name.startswith(PREFIX) or one.name == "look"]:
            held.remove(old)
    constants = {"first": np.int64([0]), "second": np.int64([1]), "axes": np.int64([2, 3]), "one": np.float32(1), "least": np.float32(1e-3)}
    graph.initializer.extend(numpy_helper.from_array(value, PREFIX + name) for name, value in constants.items())
    add(graph, "AveragePool", ["logits"], "coarse", kernel_shape=[CELL, CELL], strides=[CELL, CELL])
    add(graph, "Softmax", ["coarse"], "parts", axis=1)
    add(graph, "Slice", ["parts", "first", "second", "second"], "background")
    add(graph, "Sub", ["one", "background"], "cells")
    add(graph, "ReduceSum", ["cells", "axes"], "sum", keepdims=1)
    add(graph, "Add", ["sum", "least"], "total")
    add(graph, "Div", ["cells", "total"], "weights")
    add(graph, "Mul", [LAYER, "weights"], "weighted")
    add(graph, "ReduceSum", ["weighted", "axes"], "mean", keepdims=0)
    add(graph, "Mul", [LAYER, "weighted"], "squares")
    add(graph, "ReduceSum", ["squares", "axes"], "mean_square", keepdims=0)
    add(graph, "Mul", ["mean", "mean"], "square_mean")
    add(graph, "Sub", ["mean_square", "square_mean"], "difference")
    add(graph, "Relu", ["difference"], "variance")
    add(graph, "Sqrt", ["variance"], "spread")
    add(graph, "Concat", ["mean", "spread"], "pooled", axis=1)


def add(graph: onnx.GraphProto, kind: str, inputs: list[str], name: str, **attributes) -> None:
    ours = [one if one in ("logits", LAYER) else PREFIX + one for one in inputs]
    graph.node.append(helper.make_node(kind, ours, [PREFIX + name], PREFIX + name, **attributes))


def write(path: Path, means: np.ndarray, projection: np.ndarray) -> None:
    model = onnx.load(str(path))
    graph = model.graph
    pool(graph)
    graph.initializer.extend([numpy_helper.from_array(np.float32(means)[None], f"{PREFIX}means"),
                              numpy_helper.from_array(np.float32(projection), f"{PREFIX}projection")])
    add(graph, "Sub", ["pooled", "means"], "centred")
    add(graph, "MatMul", ["centred", "projection"], "projected")
    graph.node.append(helper.make_node("LpNormalization", [f"{PREFIX}projected"], ["look"], f"{PREFIX}length", axis=1, p=2))
    graph.output.append(helper.make_tensor_value_info("look", TensorProto.FLOAT, [1, projection.shape[1]]))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
