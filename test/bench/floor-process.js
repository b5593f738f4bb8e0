// The lower bound of an inspection: bare decodes of the given photos to the analysed size, then bare runs of the models
// on as many tensors, made from one of the photos. Prints wall and processor time of both, as one JSON line.
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

async function bareRuns({ share, raster }) {
  const options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    enableMemPattern: false,
    logSeverityLevel: 3,
  };
  const loaded = await Promise.all(
    models.map(async (model) => {
      const file = model.weights.file;
      const path = new URL(`../../models/${file}`, import.meta.url).pathname;
      const { width, height, name } = model.input;
      const tensor = new ort.Tensor('float32', await makePlanes(raster, model.input), [1, 3, height, width]);
      return {
        id: model.id,
        session: await ort.InferenceSession.create(path, options),
        feeds: { [name]: tensor, ...boxOf(model) },
      };
    }),
  );
  parentPort.postMessage('ready');
  await new Promise((go) => parentPort.once('message', go));
  for (const { id, session, feeds } of loaded)
    for (let i = 0; i < (share[id] ?? 0); i++) await session.run(feeds);
  parentPort.postMessage('done');
}

/** Converts a raster to a model's normalized input. */
async function makePlanes({ data, info }, { width, height, mean, std }) {
  const raw = { width: info.width, height: info.height, channels: 3 };
  const rgb = await sharp(data, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const pixels = width * height;
  const channel = (at) => Math.floor(at / pixels);
  return Float32Array.from(
    { length: 3 * pixels },
    (_, at) => (rgb[3 * (at % pixels) + channel(at)] / 255 - mean[channel(at)]) / std[channel(at)],
  );
}

/** Returns the box input of a classifier. */
function boxOf({ box_input: name }) {
  return name === undefined
    ? {}
    : { [name]: new ort.Tensor('float32', Float32Array.from([0.25, 0.25, 0.75, 0.75]), [1, 4]) };
}

/** Starts a timer that returns wall and processor milliseconds. */
function startWatch() {
  const [started, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
  };
}

async function main() {
  const [longSide, runsText, ...files] = process.argv.slice(2);
  const runs = JSON.parse(runsText);
  sharp.cache(false);
  sharp.concurrency(1);
  const size = { width: Number(longSide), height: Number(longSide), fit: 'inside' };
  const decode = (file) =>
    sharp(file).autoOrient().resize(size).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  // Warm-up of libvips.
  const raster = await decode(files[0]);
  const queue = [...files];
  const decoding = startWatch();
  const lanes = Array.from({ length: cores }, async () => {
    for (let file = queue.shift(); file; file = queue.shift()) await decode(file);
  });
  await Promise.all(lanes);
  const decodes = decoding();

  const share = Object.fromEntries(Object.entries(runs).map(([id, n]) => [id, Math.ceil(n / cores)]));
  const workers = Array.from(
    { length: cores },
    () => new Worker(new URL(import.meta.url), { workerData: { share, raster } }),
  );
  const said = (worker) => new Promise((done) => worker.once('message', done));
  await Promise.all(workers.map(said));
  const running = startWatch();
  const finished = workers.map(said);
  for (const worker of workers) worker.postMessage('go');
  await Promise.all(finished);
  process.stdout.write(`${JSON.stringify({ decodes, runs: running() })}\n`);
}

await (isMainThread ? main() : bareRuns(workerData));
