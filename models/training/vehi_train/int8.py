"""Shared by both models' `quantize`: writes the int8 file, compares it with its float32 source, and lists or removes
it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import manifest, onnx_node, qdq
from .context import Context


def compare_and_ship(
    context: Context, model_id: str, images: np.ndarray, figure: str, measured: Callable[[Path], float]
) -> None:
    """Quantizes the shipped float32 file (or `--model`) with ranges from `images` and prints the loss.

    `measured` computes the `figure` (0 to 1, higher is better) of a file. With `--write`, the int8 file takes the place
    of the float32 one in the manifest if it loses at most `most_lost` of it; otherwise an older int8 file is removed,
    because it belongs to other weights.
    """
    settings = context.config["quantize"]
    source = context.args.model or context.models / f"{model_id}-fp32.onnx"
    name = f"{model_id}-int8.onnx"
    target = context.run_dir / name
    result = qdq.quantise(source, images, target, settings)
    before, after = measured(source), measured(target)
    milliseconds = onnx_node.race([source, target])
    fits = before - after <= settings["most_lost"]
    print(f"{result.convolutions} of {result.of} convolutions in int8; float32 for precision's sake: {len(result.left)} tensors")
    print(f"{figure} {before:.4f} -> {after:.4f} ({'fits' if fits else 'too much lost'}: at most {settings['most_lost']})")
    print(f"{source.stat().st_size} -> {target.stat().st_size} bytes")
    print(f"{milliseconds[0]:.1f} -> {milliseconds[1]:.1f} ms of processor time per run, one thread, in turns")
    if not context.args.write:
        return
    shipped = context.models / name
    entry = manifest.read_entry(context.models, model_id)
    entry["measured"].pop("int8", None)
    if fits:
        aside = shipped.with_suffix(".tmp")
        aside.write_bytes(target.read_bytes())
        aside.replace(shipped)
        entry["weights"] = manifest.weights(context.models, "int8", name)
        entry["measured"]["int8"] = {
            figure: round(after, 4),
            f"{figure}_float32": round(before, 4),
            "milliseconds_one_core": round(milliseconds[1], 1),
            "milliseconds_one_core_float32": round(milliseconds[0], 1),
        }
    manifest.write_entry(context.models, entry)
    if not fits:
        shipped.unlink(missing_ok=True)
        raise SystemExit(f"not shipped: {before - after:.4f} of {figure} lost, at most {settings['most_lost']} allowed")


def add_arguments(parser) -> None:
    parser.add_argument("--model", type=Path, help="float32 ONNX file; default: the shipped one")
    parser.add_argument("--write", action="store_true", help="ship it, if it is good enough")
