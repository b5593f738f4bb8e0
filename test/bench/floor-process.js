// The floor of an inspection: bare decodes of the photos given, then bare runs of the models on as many tensors.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as ort from 'onnxruntime-node';
import sharp from 'sharp';

const cores = availableParallelism();
const models = JSON.parse(
  readFileSync(new URL('../../models/manifest.json', import.meta.url), 'utf8'),
).models;

async function bareRuns(share) {
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  };
  const loaded = await Promise.all(
    models.map(async (model) => {
      const file = model.variants.find((variant) => variant.precision === model.default_precision).file;
      const path = new URL(`../../models/${file}`, import.meta.url).pathname;
      const { width, height, name } = model.input;
      const tensor = new ort.Tensor('float32', new Float32Array(3 * width * height), [1, 3, height, width]);
      return {
        id: model.id,
        session: await ort.InferenceSession.create(path, options),
        feeds: { [name]: tensor, ...boxOf(model) },
      };
    }),
  );
  parentPort.postMessage('ready');
  await new Promise((go) => parentPort.once('message', go));
  for (const { id, session, feeds } of loaded) for (let i = 0; i < share[id]; i++) await session.run(feeds);
  parentPort.postMessage('done');
}

/** What a classifier is asked about. */
function boxOf({ box_input: name }) {
  return name === undefined
    ? {}
    : { [name]: new ort.Tensor('float32', Float32Array.from([0.25, 0.25, 0.75, 0.75]), [1, 4]) };
}

async function main() {
  const [runsText, ...files] = process.argv.slice(2);
  const runs = JSON.parse(runsText);
  sharp.cache(false);
  sharp.concurrency(1);
  let started = performance.now();
  const queue = [...files];
  const lanes = Array.from({ length: cores }, async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      await sharp(file).autoOrient().resize(1664, 1664, { fit: 'inside' }).removeAlpha().raw().toBuffer();
    }
  });
  await Promise.all(lanes);
  const decodeMs = performance.now() - started;

  const workers = Array.from(
    { length: cores },
    () =>
      new Worker(new URL(import.meta.url), {
        workerData: Object.fromEntries(Object.entries(runs).map(([id, n]) => [id, Math.ceil(n / cores)])),
      }),
  );
  const said = (worker) => new Promise((done) => worker.once('message', done));
  await Promise.all(workers.map(said));
  started = performance.now();
  const finished = workers.map(said);
  for (const worker of workers) worker.postMessage('go');
  await Promise.all(finished);
  process.stdout.write(`${JSON.stringify({ decodeMs, runsMs: performance.now() - started })}\n`);
}

await (isMainThread ? main() : bareRuns(workerData));
