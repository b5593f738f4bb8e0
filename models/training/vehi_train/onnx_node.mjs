// Runs an ONNX model over a file of float32 inputs with onnxruntime-node, the product's runtime.
// node onnx_node.mjs MODEL INPUTS OUTPUTS COUNT THREADS
// INPUTS contains COUNT times all inputs, and OUTPUTS receives per run all outputs, in the model's order.
// Prints {"outputs": [names], "ms": [processor milliseconds per run]}.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import * as ort from 'onnxruntime-node';

const [model, inputs, outputs, count, threads] = process.argv.slice(2);
const session = await ort.InferenceSession.create(model, {
  intraOpNumThreads: Number(threads),
  interOpNumThreads: 1,
});
const source = openSync(inputs, 'r');
const target = openSync(outputs, 'w');
const ms = [];
for (let k = 0; k < Number(count); k++) {
  const feeds = {};
  for (const { name, shape } of session.inputMetadata) {
    const values = new Float32Array(shape.reduce((product, side) => product * side, 1));
    readSync(source, new Uint8Array(values.buffer), 0, values.byteLength, null);
    feeds[name] = new ort.Tensor('float32', values, shape);
  }
  const before = process.cpuUsage();
  const result = await session.run(feeds);
  const used = process.cpuUsage(before);
  ms.push((used.user + used.system) / 1000);
  for (const output of session.outputNames) {
    const { data } = result[output];
    writeSync(target, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
}
closeSync(source);
closeSync(target);
process.stdout.write(JSON.stringify({ outputs: session.outputNames, ms }));
