"""Synthetic rust, peeling paint and cracks on photos of clean cars, because these classes have few real boxes."""
