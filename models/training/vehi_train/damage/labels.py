"""The damage classes, ordered as the model's outputs and the data's category ids."""

LABELS = ("scratch", "dent", "crack", "glass_damage", "lamp_damage", "paint_damage", "rust", "panel_damage")
