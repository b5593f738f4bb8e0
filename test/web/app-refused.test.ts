import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { inspectDemo, signIn } from '../helpers/browser/app-page.ts';
import { hasChromium, launchChromium } from '../helpers/browser/chromium.ts';
import { type Serving, startServe } from '../helpers/services/serve.ts';

let service: Serving;
let browser: Browser;
let dir: string;

beforeAll(async () => {
  if (!hasChromium) return;
  dir = mkdtempSync(join(tmpdir(), 'vehi-refused-'));
  service = await startServe(['--sandbox', '--data', dir, '--allow-private-images']);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  if (dir) rmSync(dir, { recursive: true, force: true });
});

/** Calls the API; returns the data of the answer once `ready`. */
async function call(path: string, { method = 'GET', json }: { method?: string; json?: object } = {}) {
  const { address, api_key: key } = service.line;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = json ? { body: JSON.stringify(json) } : {};
  const answer = await fetch(`${address}/v1/inspections/visual/${path}`, { method, headers, ...body });
  return ((await answer.json()) as { data: Record<string, never> }).data;
}

describe.skipIf(!hasChromium)('a stored review in Chromium whose rules have changed', () => {
  test('the refused decision is open again with its reason, and all else can be changed', async () => {
    const id = await inspectDemo(service.line);
    await expect.poll(async () => (await call(id)).status, { timeout: 90_000 }).toBe('completed');
    const { results } = (await call(`${id}/review`)) as unknown as {
      results: { damages: { damage_id: string; number: number }[] };
    };
    const [first, second] = results.damages;
    const tick = { decision: 'nothing_more', image_index: 0 };
    await call(`${id}/review`, { method: 'PUT', json: { revision: 0, decisions: [tick] } });
    const refused = { decision: 'change', damage_id: first?.damage_id, part: 'windshield', type: 'dent' };
    const database = openDatabase(join(dir, 'vehi.db'));
    const list = JSON.stringify([refused, tick]);
    database.run('UPDATE reviews SET decisions = ? WHERE inspection_id = ?', list, id);
    database.close();

    const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    await signIn(page, service.line.address, service.line.api_key);
    await page.goto(`${service.line.address}/app/#/inspections/${id}/review`);
    const entry = (key: string | undefined) => page.locator(`.entry[data-key=${key}]`);
    await entry(first?.damage_id).click();
    const reason = page.locator('.reopened');
    expect(await reason.textContent()).toContain(
      `The saved change of no. ${first?.number} was left out: "Dent" is not possible on "Windshield". No. ${first?.number} is open again.`,
    );
    expect(await entry(first?.damage_id).getAttribute('class')).toContain('undecided');
    if (process.env.VEHI_SHOTS) await page.screenshot({ path: `${process.env.VEHI_SHOTS}/reopened.png` });
    await entry(second?.damage_id).click();
    await page.keyboard.press('a');
    const decided = async () =>
      ((await call(`${id}/review`)).decisions as unknown as { damage_id?: string }[]).map(
        (one) => one.damage_id,
      );
    await expect.poll(decided).toEqual([undefined, second?.damage_id]);
    await entry(first?.damage_id).click();
    await reason.waitFor();
    await page.keyboard.press('a');
    await expect.poll(decided).toContain(first?.damage_id);
    expect(await reason.count()).toBe(0);
  }, 180_000);
});
