"""`python3 -m unittest discover tests`: the tables of the detector's model card."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vehi_train.damage.card import replaced, write_card
from vehi_train.damage.labels import LABELS

AT = {name: {"precision": 0.75, "recall": float("nan"), "boxes": 4} for name in LABELS}
RESULT = {
    "ap50": {**dict.fromkeys(LABELS, 0.4), "mean": 0.4},
    "ap50_95": {**dict.fromkeys(LABELS, 0.2), "mean": 0.2},
    "at": {"default": AT, "high": AT},
    "thresholds": {"default": dict.fromkeys(LABELS, 0.5), "high": dict.fromkeys(LABELS, 0.25)},
    "ece_per_class": dict.fromkeys(LABELS, 0.031),
    "ece": 0.02,
}
ENTRY = {
    "weights": {"precision": "fp32", "file": "damage.onnx", "sha256": "abc"},
}


class Card(unittest.TestCase):
    def test_fills_each_part_and_leaves_the_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "damage.onnx").write_bytes(b"12345")
            card = Path(folder) / "damage.md"
            parts = "\n".join(f"<!-- evaluate: {part} -->\nold\n<!-- end -->\nprose" for part in ("file", "figures"))
            card.write_text(parts)
            write_card(card, ENTRY, RESULT, {"dent": 0.45, "mean": 0.5})
            text = card.read_text()
        self.assertNotIn("old", text)
        self.assertEqual(text.count("prose"), 2)
        self.assertIn("|---|---|---|\n| `damage.onnx` | `abc` | 5 |", text)
        self.assertIn("| dent | 4 | 0.400 | 0.200 | 0.45 | 0.50 | 0.75 | – | 0.25 | 0.75 | – | 0.03 |", text)
        self.assertIn("| **mean** |  | **0.400** | 0.200 | 0.50 |  |  |  |  |  |  | 0.020 |", text)

    def test_says_which_part_is_missing(self):
        with self.assertRaisesRegex(SystemExit, "evaluate: figures"):
            replaced("no marks", "figures", "rows")


if __name__ == "__main__":
    unittest.main()
