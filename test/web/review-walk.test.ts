import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/contract/review.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { readCurrentKey, useReviewBrowser, waitUntilSaved } from '../helpers/browser/review-browser.ts';
import { walk } from './review-walk.ts';

const car = useReviewBrowser();

/** The walks of these seeds, of this many acts each. */
const [FIRST = 0, LAST = 4] = process.env.VEHI_WALKS?.split('-').map(Number) ?? [];
const ACTS = 40;

async function readDecisions(page: Page): Promise<readonly Decision[]> {
  // A key shows its effect in the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await waitUntilSaved(page);
  return readDraft();
}

/** The decisions of the draft; none before the first. */
function readDraft(): readonly Decision[] {
  try {
    return car.draft().decisions;
  } catch {
    return [];
  }
}

describe.skipIf(!hasChromium)('keys, clicks, boxes and dialogs in any order, in Chromium', () => {
  test.each(Array.from({ length: LAST - FIRST + 1 }, (_, turn) => FIRST + turn))(
    'walk %d loses nothing',
    async (seed) => {
      const page = await car.sharedPage();
      await expect(walk({ page, read: readDraft }, seed, ACTS)).resolves.toBeUndefined();
    },
  );

  test('what was set stays through accepting, by key and by button; undo brings back what it names', async () => {
    const page = await car.sharedPage();
    const id = (await readCurrentKey(page)) ?? '';
    const row = page.locator(`.entry[data-key="${id}"]`);
    const changed = { decision: 'change', damage_id: id, severity: 'minor' };
    for (const accept of ['a', 'Enter', 'Shift+A', 'button', 'row']) {
      await row.click();
      await page.keyboard.press('1');
      if (accept === 'button') await page.locator('.verdict [data-command=accept]').click();
      else if (accept === 'row') {
        await row.focus();
        await page.keyboard.press('Enter');
      } else await page.keyboard.press(accept);
      expect([
        accept,
        (await readDecisions(page)).find((one) => 'damage_id' in one && one.damage_id === id),
      ]).toEqual([accept, changed]);
    }
    await row.click();
    await page.keyboard.press('r');
    await row.click();
    expect(await page.locator('fieldset [data-command=minor]').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('z');
    expect(await page.locator('.notice').textContent()).toMatch(/^Undone: no\. \d+ is changed\.$/);
    expect((await readDecisions(page)).filter((one) => 'damage_id' in one && one.damage_id === id)).toEqual([
      changed,
    ]);
  });

  test('saying again what is said is no step of its own to undo', async () => {
    const page = await car.sharedPage();
    const row = page.locator(`.entry[data-key="${await readCurrentKey(page)}"]`);
    for (const key of ['1', '1', 'a', 'a']) {
      await row.click();
      await page.keyboard.press(key);
    }
    expect(await readDecisions(page)).toHaveLength(1);
    await page.keyboard.press('z');
    expect(await readDecisions(page)).toEqual([]);
  });

  test('Enter on a row accepts that row and goes on with the focus', async () => {
    const page = await car.sharedPage();
    const rows = page.locator('.entry');
    const key = await rows.nth(1).getAttribute('data-key');
    await rows.nth(1).focus();
    await page.keyboard.press('Enter');
    expect(await readDecisions(page)).toEqual([{ decision: 'accept', damage_id: key }]);
    const next = await readCurrentKey(page);
    expect(next).not.toBe(key);
    expect(await page.evaluate<string>('document.activeElement.dataset.key')).toBe(next);
    await page.keyboard.press('Enter');
    expect((await readDecisions(page)).map((one) => 'damage_id' in one && one.damage_id)).toEqual([
      key,
      next,
    ]);
  });

  test('undoing and redoing marks of photos says which', async () => {
    const page = await car.sharedPage();
    await page.keyboard.press('Shift+X');
    const photos = car.inspection.data.images.length;
    expect(await readDecisions(page)).toHaveLength(photos);
    await page.keyboard.press('z');
    await page.getByText(`Undone: ${photos} photos are not marked as looked through.`).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('z');
    await page.getByText(/^Undone: \S+ is not marked as looked through\.$/).waitFor();
    await page.keyboard.press('Shift+Z');
    await page.getByText(/^Redone: \S+ is marked as looked through\.$/).waitFor();
  });

  test('what is reviewed shows no percentage', async () => {
    const page = await car.sharedPage();
    const id = await readCurrentKey(page);
    const row = page.locator(`.entry[data-key="${id}"]`);
    expect(await row.textContent()).toContain('%');
    await page.keyboard.press('a');
    await row.click();
    await waitUntilSaved(page);
    expect(await row.textContent()).not.toContain('%');
    expect(await page.locator('.panel .facts').first().textContent()).toContain('confirmed by');
  });
});
