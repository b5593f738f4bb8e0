// Writes an ONNX model after onnxruntime's processor-independent optimizations: constants folded, functions inlined.
// node onnx_fold.mjs MODEL TARGET
import * as ort from 'onnxruntime-node';

const [model, target] = process.argv.slice(2);
const session = await ort.InferenceSession.create(model, {
  graphOptimizationLevel: 'basic',
  optimizedModelFilePath: target,
});
await session.release();
