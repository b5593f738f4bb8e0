"""The vehicle check: PicoDet-S as trained on COCO, reduced to a single score."""
