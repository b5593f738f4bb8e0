import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRssMb, start } from '../service/load.ts';
import { figure, median, stop } from './stand-in.ts';

const VEHI = resolve(import.meta.dirname, '../../../bin/vehi.js');
const CONNECTIONS = 6;
const PIPELINED = 1_500;
const SECONDS = 10;
/** Timeout of a Kubernetes probe. */
const PROBE_MS = 1_000;

/** Six clients without a key that each send 1,500 requests for the public document per packet, for ten seconds. */
export async function measureDocument(work: string): Promise<Record<string, unknown>> {
  const service = await start(
    [VEHI, 'serve', '--sandbox', '--ephemeral', '--port', '0'],
    join(work, 'document.log'),
  );
  const { hostname, port } = new URL(service.address);
  const health = async () => {
    const startedMs = performance.now();
    const { status } = await fetch(`${service.address}/healthz`);
    return { status, ms: performance.now() - startedMs };
  };
  await fetch(`${service.address}/v1/openapi.json`).then((answer) => answer.text());
  const rest = readRssMb(service.pid);
  let most = rest;
  const before: number[] = [];
  for (let i = 0; i < 100; i++) before.push((await health()).ms);
  const packet = 'GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED);
  const endMs = performance.now() + SECONDS * 1_000;
  let cut = 0;
  const client = async () => {
    while (performance.now() < endMs) {
      await new Promise<void>((done) => {
        const socket = connect(Number(port), hostname, () => socket.write(packet));
        // Does not read the responses.
        socket.pause();
        socket.on('error', () => undefined).on('close', () => done());
        setTimeout(() => socket.destroy(), 2_000);
      });
      cut++;
    }
  };
  const clients = Promise.all(Array.from({ length: CONNECTIONS }, client));
  const times: number[] = [];
  while (performance.now() < endMs) {
    const { status, ms } = await health();
    if (status !== 200) throw new Error(`/healthz: ${status}`);
    times.push(ms);
    most = Math.max(most, readRssMb(service.pid));
    await sleep(20);
  }
  await clients;
  const alive = (await health()).status === 200;
  await stop(service);
  return {
    connections_cut: cut,
    alive,
    memory_more_mb: figure(most - rest, 100),
    health_check_during_over_before: figure(median(times) / median(before), null),
    slowest_health_check_ms: figure(Math.max(...times), PROBE_MS),
  };
}
