import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  readCurrentKey,
  useReviewBrowser,
  waitUntilOpen,
  waitUntilSaved,
} from '../helpers/browser/review-browser.ts';
import { makeGate } from '../helpers/gate.ts';

const car = useReviewBrowser();

const fail = (status: number, message: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code: '', message } } });
/** The inspection itself, without its review. */
const INSPECTION = /\/inspections\/visual\/\w+$/;

describe.skipIf(!hasChromium)('what goes wrong while somebody reviews', () => {
  test('a command that is killed loses nothing', async () => {
    const one = await car.review();
    const { page } = await car.open(one.link);
    const key = await readCurrentKey(page);
    await page.keyboard.press('r');
    // It is on the disk before it is answered; nothing is waited for beyond that.
    await expect.poll(() => existsSync(join(car.dir, 'result.review.json'))).toBe(true);
    await one.kill();
    const again = await car.review();
    expect(again.stderr()).toContain('resuming with 1 decision saved');
    const second = await car.open(again.link);
    await second.page.locator(`.entry.rejected[data-key="${key}"]`).waitFor();
  });

  test('a box that is being analyzed holds back the end, and is then asked for', async () => {
    const page = await car.sharedPage({});
    const data = { part: null, severity: null, type: 'dent', alternatives: [] };
    const { passed: held, open: release } = makeGate();
    await page.route('**/review/place', (route) => held.then(() => route.fulfill({ json: { data } })));
    for (const key of ['d', 'ArrowLeft', 'Enter', 'Control+Enter']) await page.keyboard.press(key);
    await page.locator('dialog').getByText('A drawn box is being analyzed.').waitFor();
    expect(await page.locator('[data-finish]').isDisabled()).toBe(true);
    const asking = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    await (await asking).dismiss();
    release();
    await page.locator('dialog[aria-label=Part] input:focus').waitFor();
    await page.keyboard.type('hood');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.entry.added').count()).toBe(1);
    expect(await page.locator('dialog').count()).toBe(0);
  });

  test('a price that cannot be is said at its field; the review goes on', async () => {
    const page = await car.sharedPage({});
    await page.keyboard.press('o');
    const field = page.locator('[data-line]').first();
    for (const price of ['-5', '100000001']) {
      await field.fill(price);
      await field.press('Tab');
      expect(await field.evaluate((one: { validationMessage: string }) => one.validationMessage)).not.toBe(
        '',
      );
      expect(await field.inputValue()).toBe(price);
    }
    expect(await page.locator('.saving').textContent()).toContain('Saved');
    await field.fill('100');
    await field.press('Tab');
    await waitUntilSaved(page);
    await expect.poll(() => car.draft().decisions).toMatchObject([{ decision: 'price', cost: 100 }]);
  });

  test('what is not saved is said, also over the last view, and the browser asks before it is lost', async () => {
    const page = await car.sharedPage({});
    const asked: string[] = [];
    page.on('dialog', (one) => {
      asked.push(one.type());
      void one.dismiss();
    });
    await page.route('**/review', (route) => route.abort('connectionrefused'));
    await page.keyboard.press('r');
    await page.locator('.saving.unreachable').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.locator('dialog').getByText('Not saved. The command does not answer. Trying again.').waitFor();
    // What waits to be saved is not finished once the dialog is closed.
    await page.locator('[data-finish]').click();
    await page.keyboard.press('Escape');
    await page.evaluate('setTimeout(() => location.reload())');
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await page.locator('.entry.rejected').waitFor();
    await page.unroute('**/review');
    await waitUntilSaved(page);
    // The review opens by itself once the service answers and the photos are analyzed.
    let answer = fail(503, 'The service is starting.');
    await page.route(INSPECTION, (route) => answer(route));
    await page.reload();
    await page.getByText('The service is starting. Trying again.').waitFor();
    answer = (route) => route.fulfill({ json: { data: { status: 'processing' } } });
    await page.getByText('The photos are being analyzed.').waitFor();
    await page.unroute(INSPECTION);
    await waitUntilOpen(page);
    expect(asked).toHaveLength(1);
    expect(await page.locator('.entry.rejected').count()).toBe(1);
  });

  test('what is being typed stays when a save is answered meanwhile', async () => {
    const page = await car.sharedPage({});
    const { passed: held, open: release } = makeGate();
    const hold = async (route: Route) => {
      await held;
      await route.continue();
    };
    await page.keyboard.press('3');
    await waitUntilSaved(page);
    await page.route('**/review', hold, { times: 1 });
    await page.keyboard.press('2');
    const note = page.getByLabel('Note for the report');
    await note.pressSequentially('an older dent');
    release();
    await waitUntilSaved(page);
    expect(await note.inputValue()).toBe('an older dent');
    await note.press('Tab');
    await expect.poll(() => car.draft().decisions[0]).toMatchObject({ note: 'an older dent' });
  });

  test('a photo that is missing, or has changed, is said on the page; the review goes on', async () => {
    const [first = expect.fail(), second = expect.fail()] = car.inspection.data.images;
    const path = join(car.dir, first.url);
    renameSync(path, `${path}.away`);
    const bytes = readFileSync(join(car.dir, second.url));
    writeFileSync(join(car.dir, second.url), Buffer.concat([bytes, Buffer.from('x')]));
    try {
      const { link } = await car.review();
      const page = await car.newPage();
      // The picture of the photo that the page begins with comes after the error of the next.
      const { passed: held, open: release } = makeGate();
      await page.route(/view-\d+\.jpg/, async (route) => {
        if (!route.request().url().includes(`view-${first.index}.jpg`)) await held;
        await route.continue();
      });
      await page.goto(link);
      await waitUntilOpen(page);
      await page.locator(`[data-photo="${first.index}"]`).click();
      const said = page.getByText('was not found where it was inspected');
      await said.waitFor();
      release();
      await page.waitForLoadState('networkidle');
      expect(await said.isVisible()).toBe(true);
      await page.locator('.stage image.whole').waitFor({ state: 'hidden' });
      await page.locator(`[data-photo="${second.index}"]`).click();
      await page.getByText('has changed since the inspection').waitFor();
      renameSync(`${path}.away`, path);
      await page.locator(`[data-photo="${first.index}"]`).click();
      await page.locator('.stage image.whole').waitFor();
      await expect.poll(() => page.locator('.stage .missing').count()).toBe(0);
      await page.keyboard.press('u');
      await page.keyboard.press('a');
      await waitUntilSaved(page);
      expect(car.draft().decisions).toHaveLength(1);
    } finally {
      if (existsSync(`${path}.away`)) renameSync(`${path}.away`, path);
      writeFileSync(join(car.dir, second.url), bytes);
    }
  });
});
