"""Features of squares from the shipped close-up network, and their projection."""
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort

from .. import manifest
from ..classifier.export import FILE_NAME
from ..classifier.cuts import SIDE

LOW, HIGH = "/classifier/s.1/s.1.3/Add_output_0", "/classifier/s.2/s.2.5/Add_output_0"
CELLS = SIDE // 16


class Trunk:
    """The classifier's file with features at strides 8 and 16 as outputs; single-threaded."""

    def __init__(self, models: Path):
        network = onnx.load(str(models / FILE_NAME))
        for name, shape in ((LOW, [1, 512, 2 * CELLS, 2 * CELLS]), (HIGH, [1, 1024, CELLS, CELLS])):
            network.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = ort.InferenceSession(network.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def __call__(self, square: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns [512, cells at stride 8] and [1024, cells at stride 16] of a uint8 BGR square of SIDE px."""
        rgb = (square[..., ::-1].astype(np.float32) / 255 - np.float32(manifest.MEAN)) / np.float32(manifest.STD)
        feed = {"images": np.ascontiguousarray(rgb.transpose(2, 0, 1)[None]), "boxes": np.float32([[0.25, 0.25, 0.75, 0.75]])}
        low, high = self.session.run([LOW, HIGH], feed)
        return low.reshape(512, -1), high.reshape(1024, -1)


def directions_of(features: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the mean [n] and the `count` principal directions [n, count] of features [cells, n], scaled alike."""
    mean = features.mean(0)
    values, vectors = np.linalg.eigh(np.cov((features - mean).T))
    widest = np.argsort(values)[::-1][:count]
    return mean, vectors[:, widest] / np.sqrt(values[widest]).mean()


class Projection:
    """Projects the features of a square to [CELLS, CELLS, high + low]; finer features use the maximum of four cells."""

    def __init__(self, low: tuple[np.ndarray, np.ndarray], high: tuple[np.ndarray, np.ndarray]):
        self.low, self.high = low, high

    def __call__(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        fine = (low.T - self.low[0]) @ self.low[1]
        fine = fine.reshape(CELLS, 2, CELLS, 2, -1).max((1, 3))
        coarse = ((high.T - self.high[0]) @ self.high[1]).reshape(CELLS, CELLS, -1)
        return np.concatenate([coarse, fine], 2)
