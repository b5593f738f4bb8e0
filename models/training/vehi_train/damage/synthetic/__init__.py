"""Rust, peeling paint and cracks drawn onto photos of clean cars: these classes have few real boxes."""
