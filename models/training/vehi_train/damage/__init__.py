"""The damage detector: PicoDet-S on boxes of eight damage classes, trained on partly labelled sources."""
