"""The vehicle check: PicoDet-S as it was trained on COCO, cut down to one question."""
