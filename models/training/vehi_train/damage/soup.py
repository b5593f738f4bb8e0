"""The mean of a run's weights and those it started from ("model soup": Wortsman et al. 2022, arXiv 2203.05482).

Two ends of one path lie in one valley; their mean is flatter than either, and finds more on photos nobody trained on.
"""
from pathlib import Path

import numpy as np
import torch

from ..context import Context
from . import model as models
from .dataset import Augmented, load

STATISTICS_BATCHES = 60


def mean_with_start(context: Context, end: models.PicoDet, shipped: Path, share: float) -> models.PicoDet:
    """`share` of the shipped file that the run was given as `--init`, the rest of its `end`; BatchNorm measured anew.

    The start gets its BatchNorms from the same pictures as when the run began, so that weight stands by weight.
    """
    samples = load(context, "train")
    seed = context.config["train"]["seed"]
    start = models.from_coco(context)
    models.load_shipped(start, shipped)
    if not len(start.body.batch_norms):
        models.unfold_from_samples(start, samples, context.config["schedule"]["sizes"][0][1], seed)
    theirs = start.state_dict()
    mixed = {key: share * theirs[key] + (1 - share) * value if value.is_floating_point() else value
             for key, value in end.state_dict().items()}
    end.load_state_dict(mixed)
    augmented = Augmented(samples, context.config["augment"])
    rng = np.random.default_rng(seed)
    measure_statistics(end, augmented.batches(STATISTICS_BATCHES, 16, context.config["export"]["size"], rng, gentle=True))
    return end


@torch.no_grad()
def measure_statistics(model: torch.nn.Module, batches) -> None:
    """Sets every BatchNorm's mean and variance to those over all batches (images, …, …); the model is left in `eval`."""
    for norm in (module for module in model.modules() if isinstance(module, torch.nn.BatchNorm2d)):
        norm.reset_running_stats()
        norm.momentum = None  # a plain mean over all batches
    model.train()
    for images, *_ in batches:
        model(torch.from_numpy(images).to(memory_format=torch.channels_last))
    model.eval()
