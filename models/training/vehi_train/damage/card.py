"""The tables of the detector's model card, `../damage.md`, between `<!-- evaluate: NAME -->` and `<!-- end -->`."""
import re
from pathlib import Path

from .labels import LABELS

_FIGURES = ("class", "boxes", "AP50", "AP50:95", "floor", "default: confidence", "precision", "recall",
            "high: confidence", "precision", "recall", "ECE")


def write_card(path: Path, entry: dict, result: dict, floors: dict[str, float]) -> None:
    """Writes the measured figures to the card; a missing marker is an error and leaves the card unchanged."""
    weights = entry["weights"]
    size = (path.parent / weights["file"]).stat().st_size
    text = path.read_text()
    for name, rows in {
        "file": _table(("file", "SHA-256", "bytes"), [(f"`{weights['file']}`", f"`{weights['sha256']}`", str(size))]),
        "figures": _table(_FIGURES, figures(result, floors)),
    }.items():
        text = replaced(text, name, rows)
    aside = path.with_suffix(".tmp")
    aside.write_text(text)
    aside.replace(path)


def figures(result: dict, floors: dict[str, float]) -> list[tuple[str, ...]]:
    """Returns one row per class and the mean, from the results of `measure`."""
    rows = []
    for name in LABELS:
        said = []
        for purpose in ("default", "high"):
            at = result["at"][purpose][name]
            said += [f"{result['thresholds'][purpose][name]:.2f}", _share(at["precision"]), _share(at["recall"])]
        rows.append((name, str(result["at"]["default"][name]["boxes"]), f"{result['ap50'][name]:.3f}",
                     f"{result['ap50_95'][name]:.3f}", _share(floors.get(name)), *said, _share(result["ece_per_class"][name])))
    mean = (f"**{result['ap50']['mean']:.3f}**", f"{result['ap50_95']['mean']:.3f}", _share(floors.get("mean")))
    return [*rows, ("**mean**", "", *mean, *[""] * 6, f"{result['ece']:.3f}")]


def replaced(text: str, name: str, rows: str) -> str:
    """Replaces the text between the markers of `name`."""
    marks = re.compile(rf"(<!-- evaluate: {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    if not marks.search(text):
        raise SystemExit(f"the card has no part <!-- evaluate: {name} --> … <!-- end -->")
    return marks.sub(lambda match: match[1] + rows + match[2], text)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, *rows)).replace("|\n", "|\n" + "|---" * len(head) + "|\n", 1)


def _share(value: float | None) -> str:
    return "–" if value is None or value != value else f"{value:.2f}"
