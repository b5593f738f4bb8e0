"""Writes the close-up network with an additional output `map` [1, cells, cells], 0 to 1, so one file handles close-ups
and squares. Written to the run's folder; product measurements decide what ships."""
import onnx
import torch
from torch import nn

from ..classifier.export import FILE_NAME
from ..context import Context
from .model import Head
from .prepare import load_projection
from .trunk import CELLS, HIGH, LOW


class OnFeatures(nn.Module):
    """The head on the trunk's own features, with their projection as 1x1 convolutions."""

    def __init__(self, head: Head, projection):
        super().__init__()
        self.head = head
        self.low, self.high = (as_convolution(*one) for one in (projection.low, projection.high))

    def forward(self, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
        fine = nn.functional.max_pool2d(self.low(low), 2)
        return torch.sigmoid(self.head(torch.cat([self.high(high), fine], 1)))


def as_convolution(mean, directions) -> nn.Conv2d:
    convolution = nn.Conv2d(*directions.shape, 1)
    convolution.weight.data = torch.from_numpy(directions.T.copy())[:, :, None, None]
    convolution.bias.data = torch.from_numpy(-mean @ directions)
    return convolution


def run(context: Context) -> None:
    sizes = context.config["model"]
    head = Head(sizes["low"] + sizes["high"], sizes["inside"])
    head.load_state_dict(torch.load(context.run_dir / "last.pt", weights_only=False)["head"])
    network = OnFeatures(head, load_projection(context.run_dir / "projection.npz")).eval()
    plain, path = context.run_dir / "map.onnx", context.run_dir / FILE_NAME
    torch.onnx.export(network, (torch.zeros(1, 512, 2 * CELLS, 2 * CELLS), torch.zeros(1, 1024, CELLS, CELLS)), str(plain),
                      opset_version=17, dynamo=False, input_names=["low", "high"], output_names=["map"])
    shipped, added = onnx.load(str(context.models / FILE_NAME)), onnx.load(str(plain))
    added.ir_version = shipped.ir_version
    joined = join(shipped, added)
    onnx.checker.check_model(joined)
    onnx.save(joined, str(path))
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, with the output `map`")


def join(shipped: onnx.ModelProto, added: onnx.ModelProto) -> onnx.ModelProto:
    """Appends the nodes of `added`, whose inputs `low` and `high` are intermediate tensors of `shipped`."""
    names = {"low": LOW, "high": HIGH, "map": "map"}
    rename = lambda name: names.get(name, name and f"map/{name}")
    for node in added.graph.node:
        node.name = f"map/{node.name}"
        node.input[:], node.output[:] = [rename(one) for one in node.input], [rename(one) for one in node.output]
    for tensor in added.graph.initializer:
        tensor.name = rename(tensor.name)
    shipped.graph.node.extend(added.graph.node)
    shipped.graph.initializer.extend(added.graph.initializer)
    shipped.graph.output.extend(added.graph.output)
    return shipped
