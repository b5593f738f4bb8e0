"""The segmenter: PicoDet-S as trained on COCO, a stride-4 feature of its stem, and a light decoder."""

from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.fusion import fuse_conv_bn_weights

from ..depthwise import depthwise_conv2d
from ..onnx_graph import OnnxGraph

STRIDE = 4
# Tensors of the PicoDet-S graph used as features: stride 4, then the neck's 8, 16, 32, 64.
_FEATURES = ("batch_norm_3.tmp_4", "hardswish_14.tmp_0", "hardswish_22.tmp_0", "hardswish_30.tmp_0", "tmp_0")
_STEM_CHANNELS = 44
_NECK_CHANNELS = 96
_MOMENTUM = 0.03


class Separable(nn.Module):
    """Depthwise, then pointwise convolution, each with BatchNorm and hard swish."""

    def __init__(self, channels: int, out: int, kernel: int):
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, kernel, padding=kernel // 2, groups=channels)
        self.normalise = nn.Sequential(nn.BatchNorm2d(channels, momentum=_MOMENTUM), nn.Hardswish())
        self.mix = _pointwise(channels, out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kernel = self.depthwise
        x = depthwise_conv2d(x, kernel.weight, kernel.bias, 1, kernel.kernel_size[0] // 2)
        return self.mix(self.normalise(x))


def _pointwise(channels: int, out: int) -> nn.Sequential:
    norm = nn.BatchNorm2d(out, momentum=_MOMENTUM)
    return nn.Sequential(nn.Conv2d(channels, out, 1, bias=False), norm, nn.Hardswish())


def _enlarge(x: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    return F.interpolate(x, size=like.shape[-2:], mode="bilinear", align_corners=False)


class Segmenter(nn.Module):
    """Pictures [B, 3, S, S] to logits [B, parts, S/4, S/4]; channel 0 is background."""

    def __init__(self, weights: Path, parts: int, width: int = 96, fine_width: int = 48):
        super().__init__()
        self.encoder = OnnxGraph(weights, list(_FEATURES))
        self.context = nn.Sequential(nn.Linear(_NECK_CHANNELS, width), nn.Hardswish(), nn.Linear(width, width))
        self.far = _pointwise(_NECK_CHANNELS, width)
        self.lateral = nn.ModuleList(_pointwise(_NECK_CHANNELS, width) for _ in range(3))
        self.merge = nn.ModuleList(Separable(width, width, 5) for _ in range(3))
        self.refine = Separable(width, width, 5)
        self.narrow = _pointwise(width, fine_width)
        self.stem = _pointwise(_STEM_CHANNELS, fine_width)
        self.fine = nn.Sequential(Separable(fine_width, fine_width, 3), Separable(fine_width, fine_width, 3))
        self.dropout = nn.Dropout2d(0.1)
        self.classify = nn.Conv2d(fine_width, parts, 1)

    def convolutions_with_norms(self) -> list[tuple[str, str]]:
        """Returns the decoder's convolutions and the BatchNorm after each, by module name."""
        pairs = []
        for name, module in self.named_modules():
            if isinstance(module, Separable):
                pairs.append((f"{name}.depthwise", f"{name}.normalise.0"))
            if isinstance(module, nn.Sequential) and isinstance(module[0], nn.Conv2d):
                pairs.append((f"{name}.0", f"{name}.1"))
        return pairs

    def fold_norms(self) -> None:
        """Folds all norms into their convolutions and stops training; exported weights keep their names."""
        self.encoder.fold_batch_norm()
        for conv_name, norm_name in self.convolutions_with_norms():
            conv, norm = self.get_submodule(conv_name), self.get_submodule(norm_name)
            conv.weight, conv.bias = fuse_conv_bn_weights(
                conv.weight, conv.bias, norm.running_mean, norm.running_var, norm.eps, norm.weight, norm.bias)
            parent, _, last = norm_name.rpartition(".")
            self.get_submodule(parent)[int(last)] = nn.Identity()
        self.requires_grad_(False)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        stem, *neck = self.encoder(images)
        x = self.far(neck[3])
        # Left and right are only distinguishable in the whole picture; its global mean is added at every position.
        x = x + self.context(neck[3].mean((2, 3)))[:, :, None, None]
        for level in (2, 1, 0):
            side = self.lateral[level](neck[level])
            x = self.merge[level](side + _enlarge(x, side))
        x = self.narrow(self.refine(x))
        stem = self.stem(stem)
        x = self.fine(stem + _enlarge(x, stem))
        return self.classify(self.dropout(x))
