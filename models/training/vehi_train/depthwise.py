"""A depthwise convolution that computes slow gradients in float32.

oneDNN, as shipped with torch 2.13, falls back to a reference kernel in bfloat16 for the weight gradient of 5x5
depthwise convolutions (16 x 96 x 64 x 64 on one core: 151 ms, 55 ms in float32) and for the input gradient of those
with stride two (99 ms, 3 ms in float32).
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

        exact = grad.float()
        grad_bias = exact.sum((0, 2, 3)).to(weight.dtype)
        if ctx.stride > 1:
            grad_x, grad_weight, _ = gradient(exact, x.float(), weight, [True, True, False])
            return grad_x.to(x.dtype), grad_weight, grad_bias, None, None
        grad_x = gradient(grad, x, weight.to(x.dtype), [True, False, False])[0]
        grad_weight = gradient(exact, x.float(), weight, [False, True, False])[1]
        return grad_x, grad_weight, grad_bias, None, None


def depthwise_conv2d(x, weight, bias, stride: int, padding: int) -> torch.Tensor:
    """Equivalent to `F.conv2d` with one group per channel, square stride and padding, with a faster backward pass under
    bfloat16 autocast."""
    if torch.is_autocast_cpu_enabled() and x.dtype != torch.bfloat16:
        x = x.bfloat16()
    if torch.is_grad_enabled() and weight.requires_grad and (weight.shape[-1] == 5 or stride > 1):
        return _DepthwiseConv2d.apply(x, weight, bias, stride, padding)
    return F.conv2d(x, weight, bias, stride, padding, 1, weight.shape[0])
