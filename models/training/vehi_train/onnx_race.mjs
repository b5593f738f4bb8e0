// Alternates ONNX models on noise with onnxruntime-node, single-threaded, so the machine's load affects all equally.
// node onnx_race.mjs ROUNDS MODEL...
// Prints {"ms": [processor milliseconds of each model's median run]}.
import * as ort from 'onnxruntime-node';

const [rounds, ...models] = process.argv.slice(2);
const sessions = [];
for (const model of models) {
  sessions.push(await ort.InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 }));
}
const taken = models.map(() => []);
for (let round = 0; round < Number(rounds); round++) {
  for (const [k, session] of sessions.entries()) {
    const { name, shape } = session.inputMetadata[0];
    const noise = Float32Array.from(
      { length: shape.reduce((a, b) => a * b, 1) },
      () => Math.random() * 4 - 2,
    );
    const before = process.cpuUsage();
    await session.run({ [name]: new ort.Tensor('float32', noise, shape) });
    const used = process.cpuUsage(before);
    taken[k].push((used.user + used.system) / 1000);
  }
}
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
process.stdout.write(JSON.stringify({ ms: taken.map(median) }));
