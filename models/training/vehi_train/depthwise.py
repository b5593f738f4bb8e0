"""A depthwise convolution whose weight gradient is computed in float32.

oneDNN (2.6, as torch 1.13 ships it) falls back to a reference kernel for the weight gradient of 5x5 depthwise
convolutions in bfloat16: 83 ms instead of 21 ms for 16 x 96 x 52 x 52 on one core, a fifth of a training step.
"""
import torch
import torch.nn.functional as F


class _DepthwiseConv2d(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride: int, padding: int):
        ctx.save_for_backward(x, weight)
        ctx.stride, ctx.padding = stride, padding
        return F.conv2d(x, weight.to(x.dtype), bias.to(x.dtype), stride, padding, 1, weight.shape[0])

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors

        def gradient(of, image, kernel, mask):
            return torch.ops.aten.convolution_backward(
                of, image, kernel, [weight.shape[0]], [ctx.stride] * 2, [ctx.padding] * 2, [1, 1], False, [0, 0],
                weight.shape[0], mask)

        grad_x = gradient(grad, x, weight.to(x.dtype), [True, False, False])[0]
        grad_weight = gradient(grad.float(), x.float(), weight, [False, True, False])[1]
        return grad_x, grad_weight, grad.sum((0, 2, 3)).to(weight.dtype), None, None


def depthwise_conv2d(x, weight, bias, stride: int, padding: int) -> torch.Tensor:
    """`F.conv2d` with one group per channel; square stride and padding. Faster backward under bfloat16 autocast."""
    if torch.is_autocast_cpu_enabled() and x.dtype != torch.bfloat16:
        x = x.bfloat16()
    if torch.is_grad_enabled() and weight.requires_grad and weight.shape[-1] == 5:
        return _DepthwiseConv2d.apply(x, weight, bias, stride, padding)
    return F.conv2d(x, weight, bias, stride, padding, 1, weight.shape[0])
