"""The damage classes, in the order of the model's outputs and of the data's category ids."""

LABELS = ("scratch", "dent", "crack", "glass_damage", "lamp_damage", "paint_damage", "rust", "panel_damage")
