import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/contract/review.ts';
import { SHORTCUTS } from '../../src/web/review/keys.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  readCurrentKey,
  useReviewBrowser,
  waitUntilOpen,
  waitUntilSaved,
} from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

/** Walks in the browser; `VEHI_WALKS=500 npx vitest run --project web test/web/review-walk.test.ts` walks further. */
const WALKS = Number(process.env.VEHI_WALKS ?? 10);
const STEPS = 40;

/** Commands that judge, and may change nothing that was said of a finding. */
const VERDICTS: ReadonlySet<string> = new Set([
  'accept',
  'acceptPhoto',
  'reject',
  'rejectPhoto',
  'nothingMore',
  'allLookedAt',
]);
/** Keys of a walk: all but those that open a dialog or end the review. */
const KEYS = SHORTCUTS.filter(
  ({ command }) => !['part', 'plan', 'repair', 'export', 'finish', 'keys', 'draw', 'box'].includes(command),
).flatMap(({ command, keys: [key] }) => [{ command: command as string, key }]);

/** Returns pseudo-random integers below a bound, the same for the same seed. */
function createDice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What was said of each finding: its correction, without the verdict on it. */
function readSaid(decisions: readonly Decision[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    decisions.flatMap((one) => {
      if (!('damage_id' in one)) return [];
      const { decision: _, damage_id: id, into: __, ...said } = one as typeof one & { into?: string };
      return Object.keys(said).length === 0 ? [] : [[id, said]];
    }),
  );
}

async function readDecisions(page: Page): Promise<readonly Decision[]> {
  // A key shows its effect in the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await waitUntilSaved(page);
  try {
    return car.draft().decisions;
  } catch {
    return [];
  }
}

describe.skipIf(!hasChromium)('forty keys in any order, in Chromium', () => {
  test.each(Array.from({ length: WALKS }, (_, seed) => seed))('walk %d loses nothing', async (seed) => {
    const { link } = await car.review();
    const { page } = await car.open(link);
    await waitUntilOpen(page);
    const roll = createDice(seed + 1);
    let before = await readDecisions(page);
    for (let step = 0; step < STEPS; step++) {
      const one = KEYS[roll(KEYS.length)];
      if (!one) continue;
      // In the mode of types a digit is the type, and after M the next accept merges.
      const mode = await page.locator('.stage svg').first().getAttribute('data-mode');
      await page.keyboard.press(one.key);
      const now = await readDecisions(page);
      if (VERDICTS.has(one.command) && mode === 'look')
        expect([seed, step, one.command, readSaid(now)]).toEqual([seed, step, one.command, readSaid(before)]);
      before = now;
    }
    await page.keyboard.press('Escape');
    const kept = await readDecisions(page);
    await page.reload();
    await waitUntilOpen(page);
    expect(await readDecisions(page)).toEqual(kept);
  });

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
    expect(await page.locator('.notice').textContent()).toMatch(/^Undone: no\. \d+ is changed$/);
    expect((await readDecisions(page)).filter((one) => 'damage_id' in one && one.damage_id === id)).toEqual([
      changed,
    ]);
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

  test('one key at the end ticks every photo; what is reviewed shows no percentage', async () => {
    const page = await car.sharedPage();
    await page.keyboard.press('Shift+X');
    expect(await readDecisions(page)).toHaveLength(car.inspection.data.images.length);
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
