"""PicoDet-S from its COCO ONNX export with our own class head: four levels, boxes as distributions (DFL)."""
from pathlib import Path

import onnx
import torch
import torch.nn as nn

from .onnx_graph import OnnxGraph, constants_of

STRIDES = (8, 16, 32, 64)
BINS = 8  # the distance of a side is a distribution over 0..7 strides
HEAD_CHANNELS = 96
COCO_CLASSES = 80
# The last tensor of each backbone stage, for freezing.
STAGE_ENDS = {"stem": "pool2d_0.tmp_0", "stage2": "reshape2_3.tmp_0"}


class PicoDet(nn.Module):
    """Images [B,3,H,W], normalised, sides a multiple of 32 -> class logits [B,N,C] and side logits [B,N,4*BINS]."""

    def __init__(self, coco_onnx: Path, class_count: int):
        super().__init__()
        graph = onnx.load(str(coco_onnx)).graph
        constants = constants_of(graph)
        head_shape = (COCO_CLASSES + 4 * BINS, HEAD_CHANNELS, 1, 1)
        heads = [n for n in graph.node if n.op_type == "Conv" and constants[n.input[1]].shape == head_shape]
        if len(heads) != len(STRIDES):
            raise ValueError(f"{coco_onnx}: found {len(heads)} heads of shape {head_shape}, expected {len(STRIDES)}")
        self.class_count = class_count
        self.body = OnnxGraph(coco_onnx, [head.input[0] for head in heads])
        self.heads = nn.ModuleList()
        for head in heads:
            conv = nn.Conv2d(HEAD_CHANNELS, class_count + 4 * BINS, 1)
            nn.init.normal_(conv.weight[:class_count], std=0.01)
            nn.init.constant_(conv.bias[:class_count], -4.6)  # a prior probability of 1 %
            with torch.no_grad():
                conv.weight[class_count:] = torch.from_numpy(constants[head.input[1]][COCO_CLASSES:])
                conv.bias[class_count:] = torch.from_numpy(constants[head.input[2]][COCO_CLASSES:].reshape(-1))
            self.heads.append(conv)

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.body(images)
        outputs = [head(f).flatten(2).permute(0, 2, 1) for head, f in zip(self.heads, features)]
        joined = torch.cat(outputs, 1).float()
        return joined[..., : self.class_count], joined[..., self.class_count :]


def grid(width: int, height: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns centre points [N,2] and strides [N] of all cells, in input pixels, ordered as the model's outputs."""
    points, strides = [], []
    for stride in STRIDES:
        rows, columns = -(-height // stride), -(-width // stride)
        y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        points.append(((torch.stack([x, y], -1) + 0.5) * stride).reshape(-1, 2).float())
        strides.append(torch.full((rows * columns,), float(stride)))
    return torch.cat(points), torch.cat(strides)


def decode(sides: torch.Tensor, points: torch.Tensor, strides: torch.Tensor) -> torch.Tensor:
    """Decodes side logits [...,4*BINS] at points [...,2] -> boxes [...,4] as x0 y0 x1 y1 in input pixels."""
    bins = torch.arange(BINS, dtype=sides.dtype)
    distribution = sides.reshape(*sides.shape[:-1], 4, BINS).softmax(-1)
    distance = (distribution * bins).sum(-1) * strides[..., None]
    return torch.cat([points - distance[..., :2], points + distance[..., 2:]], -1)
