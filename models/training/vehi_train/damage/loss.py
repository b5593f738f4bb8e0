"""Task-aligned assignment and the three losses; classes that a source does not label are never background."""
import numpy as np
import torch
import torch.nn.functional as F

from ..picodet import BINS, decode

CANDIDATES_PER_BOX = 9
SCORE_POWER, IOU_POWER = 1.0, 6.0
CENTRE_RADIUS = 1.5  # in strides around a box's centre, used if no cell centre lies inside the box
LEAST_WEIGHT = 0.05


def iou(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the intersection over union and the union itself of boxes [...,4], broadcast."""
    overlap = (torch.minimum(a[..., 2:], b[..., 2:]) - torch.maximum(a[..., :2], b[..., :2])).clamp(0).prod(-1)
    area_a = (a[..., 2:] - a[..., :2]).clamp(0).prod(-1)
    union = area_a + (b[..., 2:] - b[..., :2]).prod(-1) - overlap
    return overlap / (union + 1e-7), union


def giou_loss(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Returns 1 - generalised IoU of paired boxes."""
    value, union = iou(a, b)
    hull = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).prod(-1) + 1e-7
    return 1 - (value - (hull - union) / hull)


@torch.no_grad()
def assign(scores, boxes, truth, points, strides):
    """Assigns boxes to cells of one picture, with a weight per cell.

    `scores` [N,C], `boxes` [N,4] as predicted; `truth` [n,5]. Returns cells [k], boxes of truth [k], weights [k].
    """
    wanted, labels = truth[:, :4], truth[:, 4].long()
    inside = ((points[None] > wanted[:, None, :2]) & (points[None] < wanted[:, None, 2:])).all(-1)
    centres = (wanted[:, :2] + wanted[:, 2:]) / 2
    near = (points[None] - centres[:, None]).abs().amax(-1) < strides[None] * CENTRE_RADIUS
    allowed = inside | (near & ~inside.any(1, keepdim=True))
    overlap, _ = iou(boxes[None], wanted[:, None])
    alignment = scores[:, labels].t().clamp(1e-4) ** SCORE_POWER * overlap**IOU_POWER * allowed

    best, cells = alignment.topk(min(CANDIDATES_PER_BOX, alignment.shape[1]), 1)
    chosen = torch.zeros_like(allowed).scatter_(1, cells, True) & allowed
    cold = best[:, 0] <= 1e-9  # nothing overlaps yet: take the nearest cells
    if cold.any():
        distance = ((points[None] - centres[:, None]) / strides[None, :, None]).norm(dim=-1) + (~allowed) * 1e6
        nearest = distance[cold].topk(3, 1, largest=False).indices
        chosen[cold] = torch.zeros_like(chosen[cold]).scatter_(1, nearest, True) & allowed[cold]

    owner = (overlap * chosen).argmax(0)  # a cell wanted by several boxes goes to the one it overlaps most
    owned = torch.zeros_like(chosen)
    owned[owner, torch.arange(chosen.shape[1])] = True
    chosen = torch.where((chosen.sum(0) > 1)[None], owned & chosen, chosen)
    truth_index, cell_index = chosen.nonzero(as_tuple=True)
    value = alignment[truth_index, cell_index]
    highest = (alignment * chosen).amax(1)[truth_index]
    highest_overlap = (overlap * chosen).amax(1)[truth_index]
    return cell_index, truth_index, (value / (highest + 1e-9) * highest_overlap).clamp(LEAST_WEIGHT, 1.0)


def losses(logits, sides, truths: list[np.ndarray], labelled: np.ndarray, points, strides):
    """Class loss, box loss (GIoU) and distribution loss of a batch, each per unit of assigned weight. `labelled`
    [B,N,C]."""
    with torch.no_grad():
        scores = logits.detach().sigmoid()
        predicted = decode(sides.detach(), points, strides)
    target = torch.zeros_like(logits)
    which, cells, wanted, weights = [], [], [], []
    for k, truth_array in enumerate(truths):
        truth = torch.from_numpy(truth_array)
        if not len(truth):
            continue
        cell, box, weight = assign(scores[k], predicted[k], truth, points, strides)
        target[k, cell, truth[box, 4].long()] = weight
        which.append(torch.full_like(cell, k))
        cells.append(cell)
        wanted.append(truth[box, :4])
        weights.append(weight)

    background = 0.75 * scores**2 * torch.from_numpy(labelled)
    importance = torch.where(target > 0, torch.ones_like(target), background)
    class_loss = (F.binary_cross_entropy_with_logits(logits, target, reduction="none") * importance).sum()
    if not which:
        return class_loss, class_loss * 0, class_loss * 0

    cell, box, weight = torch.cat(cells), torch.cat(wanted), torch.cat(weights)
    chosen_sides = sides[torch.cat(which), cell]
    box_loss = (giou_loss(decode(chosen_sides, points[cell], strides[cell]), box) * weight).sum()
    distance = torch.cat([points[cell] - box[:, :2], box[:, 2:] - points[cell]], -1) / strides[cell, None]
    distance = distance.clamp(0, BINS - 1.01)
    lower = distance.floor().long()
    share = lower + 1 - distance
    log_bins = chosen_sides.reshape(-1, 4, BINS).log_softmax(-1)
    at_lower, at_upper = (log_bins.gather(2, bin_[..., None])[..., 0] for bin_ in (lower, lower + 1))
    bin_loss = -((at_lower * share + at_upper * (1 - share)).mean(1) * weight).sum()
    total = weight.sum().clamp(min=1.0)
    return class_loss / total, box_loss / total, bin_loss / total
