import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProgram } from '../../helpers/services/own-process.ts';
import { median, type Running, readRssMb } from '../service/load.ts';
import { figure, startStandIn, timeGet } from './stand-in.ts';

const VISUAL = '/v1/inspections/visual';
const AT_ONCE = 5;
const PHOTOS = 50;
/** Fifty of these are the maximum of one upload. */
const PHOTO_BYTES = 5_000_000;
/** Timeout of a Kubernetes probe. */
const PROBE_MS = 1_000;
const BOUNDARY = 'vehi-bench';

/** Sends one upload at full speed; resolves with the status. */
async function upload({ address }: Running, key: string): Promise<number> {
  const names = Array.from({ length: PHOTOS }, (_v, i) => `${i}.jpg`);
  const images = names.map((url) => ({ url, angle: 'front', type: 'exterior' }));
  const json = JSON.stringify({ vehicle_id: 'v', images, options: { generate_report: false } });
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const photo = Buffer.from('photo 1920x1080'.padEnd(PHOTO_BYTES, '.'));
  const chunks = [
    Buffer.from(`${part('name="request"')}${json}\r\n`),
    ...names.flatMap((name) => [
      Buffer.from(part(`name="photos"; filename="${name}"`)),
      photo,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ];
  const sent = request(`${address}${VISUAL}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      prefer: 'respond-async',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': chunks.reduce((sum, { length }) => sum + length, 0),
    },
  });
  Readable.from(chunks).pipe(sent);
  const [answer] = await once(sent, 'response');
  // The rest of a refused upload need not arrive.
  sent.on('error', () => undefined);
  return answer.resume().statusCode;
}

/** Measures five full uploads of five accounts in parallel: responses, and memory including their analyses. */
export async function measureUploads(work: string): Promise<Record<string, unknown>> {
  const directory = join(work, 'uploads');
  const service = await startStandIn(directory, AT_ONCE);
  await timeGet(service, '/v1/account');
  const rest = readRssMb(service);
  let most = rest;
  const before: number[] = [];
  for (let i = 0; i < 100; i++) before.push(await timeGet(service, '/healthz'));
  const during: number[] = [];
  let over = false;
  const watch = (async () => {
    while (!over) {
      during.push(await timeGet(service, '/healthz'));
      most = Math.max(most, readRssMb(service));
      await sleep(20);
    }
  })();
  const statuses = await Promise.all(service.keys.map((key) => upload(service, key)));
  const mostOfUploads = most;
  const left = async () => {
    const answer = await fetch(`${service.address}/metrics`);
    return /^vehi_queue_(waiting|running) [1-9]/m.test(await answer.text());
  };
  while (await left()) await sleep(200);
  over = true;
  await watch;
  await endProgram(service.child);
  return {
    bytes_each: PHOTOS * PHOTO_BYTES,
    answers: statuses.sort(),
    memory_more_mb_while_they_arrive: figure(mostOfUploads - rest, 500),
    memory_more_mb_until_analyzed: figure(most - rest, 800),
    health_check_during_over_before: figure(median(during) / median(before), null),
    slowest_health_check_ms: figure(Math.max(...during), PROBE_MS),
  };
}
