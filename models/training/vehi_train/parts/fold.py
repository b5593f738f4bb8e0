"""Folds the shipped file's graph for faster opening and adds it to the manifest as the config's version.

`export` does the same; this command is for files exported before. Weights and figures are unchanged.
"""
from .. import onnx_fold, onnx_node
from ..context import Context
from ..manifest import read_entry, weights, write_entry
from .dataset import load_photos
from .export import FILE_NAME
from .scoring import network_input


def run(context: Context) -> None:
    path = context.models / FILE_NAME
    photo = load_photos(context.data / "parts")[0]
    example = network_input(photo.pixels, context.config["size"])[None]
    aside = path.with_suffix(".folded")
    difference = onnx_fold.fold(path, aside, example)
    before, after = onnx_node.open_ms([path, aside])
    aside.rename(path)
    entry = read_entry(context.models, "parts") or {}
    write_entry(context.models, {**entry, "version": context.config["version"],
                                 "weights": weights(context.models, "fp32", FILE_NAME)})
    print(f"{path}: outputs differ by at most {difference:.1e}; opens in {after:.0f} ms of processor time instead of {before:.0f}")
