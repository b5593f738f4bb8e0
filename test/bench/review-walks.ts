/**
 * Walks over the review page in Chromium, each of 40 random acts: `npx tsx test/bench/review-walks.ts [FROM] [TO]` (after a
 * build; default 0 500). Keys, clicks, drawing, merging and dialogs; the law is in `test/helpers/browser/review-walk.ts`.
 * The service runs in this process on the result of the demo vehicle, without photos; the map of parts is a fake. Prints a
 * line per fault and a summary.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision } from '../../src/contract/review.ts';
import { signIn } from '../helpers/browser/app-page.ts';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { waitUntilOpen } from '../helpers/browser/review-browser.ts';
import { prepareDemo } from '../helpers/browser/review-page.ts';
import { walk } from '../helpers/browser/review-walk.ts';
import { startService } from '../server/helpers/service.ts';

const ACTS = 40;
const [from = 0, to = 500] = process.argv.slice(2).map(Number);

const dir = mkdtempSync(join(tmpdir(), 'vehi-walks-'));
const { data, meta } = await prepareDemo(dir);
rmSync(dir, { recursive: true });
const service = await startService();
const { store, clock, account, key } = service;
await service.app.listen({ host: '127.0.0.1', port: 0 });
const address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
await signIn(page, address, key);

let faults = 0;
for (let seed = from; seed < to; seed++) {
  const id = clock.newId('vis');
  const at = new Date().toISOString();
  await store.inspections.create({
    id,
    accountId: account.id,
    environment: 'sandbox',
    kind: 'visual',
    vehicleId: data.vehicle_id,
    status: 'completed',
    createdAt: at,
    completedAt: at,
    attempts: 1,
    document: { ...data, inspection_id: id },
    meta,
    request: null,
  });
  // The fake engine maps the parts of anything.
  for (const { index } of data.images) await store.blobs.put(id, `view-${index}.jpg`, Buffer.from('photo'));
  // Otherwise the page would only follow the hash.
  await page.goto('about:blank');
  await page.goto(`${address}/app/#/inspections/${id}/review`);
  await waitUntilOpen(page);
  const read = async () => ((await store.reviews.get(id))?.decisions ?? []) as readonly Decision[];
  try {
    await walk({ page, read }, seed, ACTS);
  } catch (error) {
    faults++;
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
  }
}
process.stdout.write(
  `${to - from} walks of ${ACTS} acts, seeds ${from} to ${to - 1}: ${faults} with a loss\n`,
);
await browser.close();
await service.close();
