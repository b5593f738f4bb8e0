/**
 * Kills `vehi capture` at random moments while a phone sends photos, starts it again, and checks that the folder has
 * every photo that was acknowledged, byte for byte, and in the end all of them once.
 *
 *     npx tsx test/bench/capture-kills.ts [100] [seed]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { WALK_AROUND } from '../../src/domain/sight/walk-around.ts';
import { hashBytes } from '../../src/lib/ids.ts';
import { createRandom } from '../../src/lib/random.ts';
import { portOf, startCapture } from '../helpers/browser/capture-run.ts';

const [kills = '100', seed = '1'] = process.argv.slice(2);
const random = createRandom(Number(seed));
const dir = mkdtempSync(join(tmpdir(), 'vehi-kills-'));
const car = join(import.meta.dirname, '../../fixtures/vehicle');
const photos = WALK_AROUND.map((slot) => readFileSync(join(car, `${slot}.jpg`)));

interface Sent {
  readonly slot: string;
  readonly bytes: Buffer;
  acknowledged: boolean;
}

/** Files of the folder and of what was replaced in it, by hash. */
function readStored(folder: string): Map<string, string> {
  const paths = globSync(['*.jpg', 'replaced/*.jpg'], { cwd: folder, absolute: true });
  return new Map(paths.map((path) => [hashBytes(readFileSync(path)), path]));
}

const out = (text: string) => process.stdout.write(`${text}\n`);
const times: number[] = [];
const folder = join(dir, 'car');
const sent: Sent[] = [];
let port = 0;
let lost = 0;
for (let kill = 0; kill < Number(kills); kill++) {
  const capture = await startCapture(dir, 'car', port);
  port = portOf(capture.link);
  const origin = `http://127.0.0.1:${port}`;
  let isDown = false;
  const timer = setTimeout(() => {
    isDown = true;
    capture.child.kill('SIGKILL');
  }, random() * 5000);
  try {
    const answer = await fetch(`${origin}/capture/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: new URL(capture.link).hash.slice(1) }),
    });
    const { secret } = ((await answer.json()) as { data: { secret: string } }).data;
    while (!isDown) {
      const turn = Math.floor(random() * WALK_AROUND.length);
      // Another photo of the place each time: its end says which.
      const bytes = Buffer.concat([photos[turn] as Buffer, Buffer.from(`${kill} ${sent.length}`)]);
      const waiting = sent.find((one) => !one.acknowledged);
      const one = waiting ?? { slot: WALK_AROUND[turn] as string, bytes, acknowledged: false };
      if (!waiting) sent.push(one);
      const startedMs = performance.now();
      const put = await fetch(`${origin}/capture/photos/${one.slot}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', 'x-vehi-session': secret },
        body: new Uint8Array(one.bytes),
      });
      if (put.status !== 201) throw new Error(`${put.status} ${await put.text()}`);
      times.push(performance.now() - startedMs);
      one.acknowledged = true;
    }
  } catch (error) {
    if (!isDown) throw error;
  }
  clearTimeout(timer);
  await capture.kill();
  const stored = readStored(folder);
  for (const { slot, bytes, acknowledged } of sent)
    if (acknowledged && !stored.has(hashBytes(bytes))) {
      lost++;
      out(`lost after kill ${kill}: ${slot}`);
    }
  const known = new Set(sent.map(({ bytes }) => hashBytes(bytes)));
  for (const [digest, path] of stored)
    if (!known.has(digest)) throw new Error(`${path} is no photo that was sent`);
}
times.sort((a, b) => a - b);
const at = (share: number) => `${times[Math.floor(times.length * share)]?.toFixed(0)} ms`;
out(`${kills} kills: ${times.length} photos acknowledged, ${lost} lost`);
out(`from the first byte to the check's answer: median ${at(0.5)}, 95 % within ${at(0.95)}`);
rmSync(dir, { recursive: true, force: true });
process.exitCode = lost === 0 ? 0 : 1;
