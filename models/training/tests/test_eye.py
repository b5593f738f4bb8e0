import json
from pathlib import Path
import tempfile
import unittest
from unittest import mock

import cv2
import numpy as np

from vehi_train.damage import eye, label
from vehi_train.damage.label import agreement
from vehi_train.damage.labels import LABELS
from vehi_train.damage.snap import snapped


def decision(file="a.webp", *boxes, **more):
    return {"file": file, "boxes": list(boxes), "clean": not boxes, **more}


SCRATCH = ["scratch", 10.0, 20.0, 30.0, 40.0]
DENT = ["dent?", 50.0, 50.0, 60.0, 60.0]


class ReadingLines(unittest.TestCase):
    def read(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "labels.jsonl"
            path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
            return eye.read_lines(path)

    def test_last_line_about_a_photo_counts(self):
        self.assertEqual(self.read(decision(), "", decision("a.webp", SCRATCH))["a.webp"]["boxes"], [SCRATCH])

    def test_bad_lines_end_the_command_and_are_named(self):
        for line, words in [
            ("{", ":1:"),
            (decision("a.webp", ["hole", 0, 0, 1, 1]), "hole"),
            (decision("a.webp", ["dent", 30, 0, 10, 1]), "left < right"),
            (decision("a.webp", ["dent", 0, 0, 10, 101]), "0 to 100"),
            ({**decision("a.webp", SCRATCH), "clean": True}, "clean"),
            (decision("../a.webp"), "bare name"),
        ]:
            with self.subTest(line=line), self.assertRaisesRegex(SystemExit, words):
                self.read(line)


class Coco(unittest.TestCase):
    IMAGES = [{"id": n, "file_name": f"{n}.webp", "width": 200, "height": 100, "source": "s", "labelled": ["rust"]}
              for n in (1, 2, 3)]
    FORMER = {1: [{"category_id": 6, "bbox": [0, 0, 9, 9], "iscrowd": 0}], 2: [{"category_id": 6, "bbox": [1, 1, 2, 2], "iscrowd": 0}]}

    def test_decided_photos_have_their_labels_skipped_ones_go_others_stay(self):
        coco = eye.coco_of(self.IMAGES, {"1.webp": decision("1.webp", SCRATCH, DENT), "3.webp": {"file": "3.webp", "skip": "mark"}}, self.FORMER)
        self.assertEqual([image["source"] for image in coco["images"]], ["s-by-eye", "s"])
        self.assertEqual(coco["images"][0]["labelled"], [label for label in LABELS if label != "dent"])
        self.assertEqual([(one["image_id"], one["category_id"], one["bbox"]) for one in coco["annotations"]],
                         [(1, 0, [20.0, 20.0, 40.0, 20.0]), (2, 6, [1, 1, 2, 2])])


class Building(unittest.TestCase):
    def test_training_photos_that_repeat_validation_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            image = lambda number: {"id": number, "file_name": f"{number}.webp", "width": 9, "height": 9, "source": "s", "labelled": ["rust"]}
            (home / "data" / "damage").mkdir(parents=True)
            for split in ("train", "val"):
                coco = {"images": [image(1), image(2)], "annotations": []}
                (home / "data" / "damage" / f"{split}.json").write_text(json.dumps(coco))
            photos = home / "data" / "damage-more" / "photos"
            photos.mkdir(parents=True)
            for name in ("j7yeox_1.png", "j7yeox_2.png"):
                cv2.imwrite(str(photos / name), np.zeros((4, 4, 3), np.uint8))
            eye.write_lines(home / "damage-more.jsonl", {name: decision(name) for name in ("j7yeox_1.png", "j7yeox_2.png")})
            (home / "repeats.jsonl").write_text("".join(json.dumps({"file": name, "repeats": "2.webp", "matches": 30}) + "\n"
                                                        for name in ("1.webp", "j7yeox_2.png")))
            with mock.patch.object(label, "FOLDER", home):
                label.build(home / "data", home / "out")
            shown = lambda path: [one["file_name"] for one in json.loads((home / "out" / path).read_text())["images"]]
            self.assertEqual(shown("damage/train.json"), ["2.webp"])
            self.assertEqual(shown("damage/val.json"), ["1.webp", "2.webp"])
            self.assertEqual(shown("more/damage/train.json"), ["j7yeox_1.png"])


class Snapping(unittest.TestCase):
    FOUND = np.array([[0.11, 0.21, 0.30, 0.41, 0.9, 0], [0.10, 0.20, 0.30, 0.40, 0.8, 1], [0.5, 0.5, 0.6, 0.6, 0.9, 1]])

    def test_sure_boxes_take_the_finding_of_their_class(self):
        photo = decision("a.webp", SCRATCH, DENT)
        self.assertEqual(snapped(photo, self.FOUND), [{"file": "a.webp", "drawn": SCRATCH, "box": [11.0, 21.0, 30.0, 41.0], "iou": 0.86}])

    def test_what_does_not_agree_stays(self):
        for photo, found in [
            (decision("a.webp", ["rust", 10.0, 20.0, 30.0, 40.0]), self.FOUND),
            (decision("a.webp", ["scratch", 20.0, 30.0, 60.0, 70.0]), self.FOUND),
            (decision("a.webp", SCRATCH), self.FOUND * [1, 1, 1, 1, 0.3, 1]),
            (decision(), self.FOUND),
        ]:
            with self.subTest(photo=photo):
                self.assertEqual(snapped(photo, found), [])

    def test_a_finding_serves_one_box_the_nearest(self):
        other = ["scratch", 10.0, 20.0, 30.0, 44.0]
        lines = snapped(decision("a.webp", other, SCRATCH), self.FOUND)
        self.assertEqual([line["drawn"] for line in lines], [SCRATCH])

    def test_snapped_boxes_replace_those_still_as_drawn_and_say_who(self):
        line = {"set": "damage-train", "file": "a.webp", "drawn": SCRATCH, "box": [1.0, 2.0, 3.0, 4.0], "by": "net 1"}
        before = {"a.webp": decision("a.webp", SCRATCH, DENT, by=["one"]), "b.webp": decision("b.webp", DENT, by=["one"])}
        after = eye.with_snapped(before, [line, {**line, "file": "b.webp"}, {**line, "file": "c.webp"}])
        self.assertEqual(after["a.webp"]["boxes"], [["scratch", 1.0, 2.0, 3.0, 4.0], DENT])
        self.assertEqual(after["a.webp"]["by"], ["one", "net 1"])
        self.assertEqual(after["b.webp"], before["b.webp"])
        self.assertEqual(before["a.webp"]["boxes"], [SCRATCH, DENT])

    def test_validation_stays_as_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            image = {"id": 1, "file_name": "1.webp", "width": 100, "height": 100, "source": "s", "labelled": ["rust"]}
            (home / "data" / "damage").mkdir(parents=True)
            for split in ("train", "val"):
                (home / "data" / "damage" / f"{split}.json").write_text(json.dumps({"images": [image], "annotations": []}))
                eye.write_lines(home / f"damage-{split}.jsonl", {"1.webp": decision("1.webp", SCRATCH)})
            line = {"file": "1.webp", "drawn": SCRATCH, "box": [11.0, 20.0, 30.0, 40.0], "by": "net 1"}
            (home / "snapped.jsonl").write_text("".join(json.dumps({"set": name, **line}) + "\n" for name in ("damage-train", "damage-val")))
            with mock.patch.object(label, "FOLDER", home):
                label.build(home / "data", home / "out", snapped=True)
            left = lambda split: json.loads((home / "out" / "damage" / f"{split}.json").read_text())["annotations"][0]["bbox"][0]
            self.assertEqual((left("train"), left("val")), (11.0, 10.0))


class Agreement(unittest.TestCase):
    def test_boxes_of_both_are_held_against_the_other(self):
        near = ["scratch?", 10.0, 20.0, 30.0, 41.0]
        one = {"a": decision("a", SCRATCH), "b": decision("b", ["rust", 0, 0, 5, 5]), "c": decision("c", SCRATCH)}
        other = {"a": decision("a", near), "b": decision("b"), "c": {"file": "c", "skip": "mark"}}
        self.assertEqual(agreement(one, other), {"photos": 2, "boxes": 2, "touched": 0.5, "at_iou_50": 0.5,
                                                 "same_class": 0.5, "same_class_and_sure": 0.0})


if __name__ == "__main__":
    unittest.main()
