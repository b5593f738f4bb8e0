"""Training, export and evaluation of vehi's models. Not needed to use vehi."""
