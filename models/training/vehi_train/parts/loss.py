"""Cross-entropy and Dice loss that never treat an unlabelled part as background."""

import torch
from torch.nn import functional as F

from .labels import BACKGROUND, VEHICLE

_TINY = 1e-6
# Low weight for pixels of the vehicle with an unknown part.
_VEHICLE_WEIGHT = 0.3


def segmentation_loss(
    logits: torch.Tensor, target: torch.Tensor, unlabelled: torch.Tensor, weights: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns (cross-entropy, Dice over the parts) of logits [B, C, h, w] against target [B, h, w].

    A background pixel may also be any part not labelled in its photo; a VEHICLE pixel may be any part but background;
    IGNORE pixels do not count. `weights` has one factor per part.
    """
    parts = logits.shape[1]
    log_p = F.log_softmax(logits.float(), 1).flatten(2)
    p = log_p.exp()
    target = target.flatten(1)
    known = target < parts
    label = torch.where(known, target, BACKGROUND).long()
    background = known & (label == BACKGROUND)
    vehicle = target == VEHICLE

    picked = log_p.gather(1, label[:, None])[:, 0]
    allowed = unlabelled.float()
    allowed[:, BACKGROUND] = 1
    outside = (allowed[:, None] @ p)[:, 0].clamp(min=_TINY).log()
    somewhere = (1 - p[:, BACKGROUND]).clamp(min=_TINY).log()
    score = torch.where(background, outside, torch.where(vehicle, somewhere, picked))
    factor = weights[label] * known + _VEHICLE_WEIGHT * vehicle
    entropy = -(score * factor).sum() / factor.sum().clamp(min=1)

    truth = torch.zeros(parts).index_add(0, label.flatten(), known.flatten().float())
    shared = torch.zeros(parts).index_add(0, label.flatten(), (picked.exp() * known).flatten())
    # A part does not count on the background of photos in which it is not labelled.
    claimed = (p @ known.float()[:, :, None])[..., 0] - unlabelled * (p @ background.float()[:, :, None])[..., 0]
    dice = 1 - (2 * shared + 1) / (truth + claimed.sum(0) + 1)
    present = truth > 0
    present[BACKGROUND] = False
    return entropy, dice[present].mean() if present.any() else dice.sum() * 0
