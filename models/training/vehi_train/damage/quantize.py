"""Writes models/damage-int8.onnx; `--write` lists it in the manifest where it loses at most one point of mean AP50."""
from pathlib import Path

import cv2
import numpy as np

from .. import manifest, qdq
from ..context import Context
from .average_precision import average_precision
from .dataset import load, normalise
from .evaluate import detect_onnx, input_side
from .export import FILE_NAME

INT8_FILE_NAME = "damage-int8.onnx"


def add_arguments(parser) -> None:
    parser.add_argument("--model", type=Path, help="float32 ONNX file; default: the shipped one")
    parser.add_argument("--write", action="store_true", help="ship it, if it is good enough")


def run(context: Context) -> None:
    settings = context.config["quantize"]
    source = context.args.model or context.models / FILE_NAME
    target = context.run_dir / INT8_FILE_NAME
    samples, validation = load(context, "train"), load(context, "val")
    chosen = np.random.default_rng(settings["seed"]).choice(len(samples), settings["images"], replace=False)
    size = input_side(source)
    images = np.stack([normalise(cv2.resize(samples[int(k)].picture, (size, size), interpolation=cv2.INTER_AREA))
                       for k in chosen])
    count = qdq.quantise(source, images, target, settings["percentile"], set(settings["keep_float"]))
    before, after = (average_precision(validation, detect_onnx(path, validation)[0])["mean"] for path in (source, target))
    ms = float(np.median(detect_onnx(target, validation[:50])[1]))
    loss = before - after
    print(f"{count} convolutions; mean AP50 {before:.3f} -> {after:.3f}; {target.stat().st_size} bytes; {ms:.1f} ms per pass")
    if not context.args.write:
        return
    if loss > settings["most_lost"]:
        raise SystemExit(f"not shipped: {loss:.3f} of AP50 lost, at most {settings['most_lost']} allowed")
    (context.models / INT8_FILE_NAME).write_bytes(target.read_bytes())
    entry = manifest.read_entry(context.models, "damage")
    others = [v for v in entry["variants"] if v["precision"] != "int8"]
    entry["variants"] = [*others, manifest.variant(context.models, "int8", INT8_FILE_NAME)]
    entry["measured"]["int8"] = {"ap50_mean": round(after, 3), "ms_per_pass_one_thread": round(ms, 1)}
    manifest.write_entry(context.models, entry)
