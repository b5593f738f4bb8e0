// Inspects the photos given as arguments in this process and prints its cost as one JSON line.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { createEngine } from '../../dist/index.js';

// Runs per model, for a lower bound with the same runs; the calls of threads are birpc's messages.
const runs = {};
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...rest) {
  if (message.m === 'infer') {
    const [{ model }] = message.a;
    runs[model.id] = (runs[model.id] ?? 0) + 1;
  }
  return postMessage.call(this, message, ...rest);
};

const photos = process.argv.slice(2).map((path) => ({ source: { kind: 'file', path }, url: path }));
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);
const imported = process.cpuUsage();
const started = performance.now();
const engine = await createEngine();
const loop = monitorEventLoopDelay({ resolution: 5 });
loop.enable();
await engine.inspect({
  vehicleId: 'bench',
  photos,
  options: {
    detailed: true,
    hiddenDamage: false,
    region: 'US_MIDWEST',
    currency: 'USD',
    sensitivity: 'default',
    minConfidence: 0,
  },
});
const wallMs = performance.now() - started;
const cpu = process.cpuUsage(imported);
loop.disable();
await engine.close();
clearInterval(watch);
process.stdout.write(
  `${JSON.stringify({
    wallMs,
    cpuMs: (cpu.user + cpu.system) / 1000,
    runs,
    peakMb: Math.max(peak, process.memoryUsage.rss()) / 2 ** 20,
    loopMaxMs: loop.max / 1e6 - 5,
    loopP99Ms: loop.percentile(99) / 1e6 - 5,
  })}\n`,
);
