// Measures the time to open ONNX models. node onnx_open.mjs ROUNDS MODEL...
// Prints {"ms": [median processor milliseconds per model]}; the models alternate.
import { readFileSync } from 'node:fs';
import * as ort from 'onnxruntime-node';

const [rounds, ...models] = process.argv.slice(2);
const files = models.map((path) => new Uint8Array(readFileSync(path)));
const times = files.map(() => []);
for (let round = 0; round < Number(rounds); round++) {
  for (const [k, bytes] of files.entries()) {
    const before = process.cpuUsage();
    const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1 });
    const used = process.cpuUsage(before);
    times[k].push((used.user + used.system) / 1000);
    await session.release();
  }
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
process.stdout.write(JSON.stringify({ ms: times.map(median) }));
