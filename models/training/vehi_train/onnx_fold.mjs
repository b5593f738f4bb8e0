// Rewrites an ONNX model as onnxruntime sees it before it suits the graph to a processor: what is constant folded,
// functions written out. node onnx_fold.mjs MODEL TARGET
import * as ort from 'onnxruntime-node';

const [model, target] = process.argv.slice(2);
const session = await ort.InferenceSession.create(model, {
  graphOptimizationLevel: 'basic',
  optimizedModelFilePath: target,
});
await session.release();
