import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fitsPart } from '../../src/domain/possible-types.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  expectAccessible,
  findViolations,
  useReviewBrowser,
  waitUntilOpen,
  waitUntilSaved,
} from '../helpers/browser/review-browser.ts';

const car = useReviewBrowser();

describe.skipIf(!hasChromium)('what the page offers, and how it looks, in Chromium', () => {
  test('axe finds nothing in any view, whatever the colors', async () => {
    const page = await car.sharedPage({ bypassCSP: true });
    await expectAccessible(page, 'review');
    for (const key of ['?', 'l', 'o', 'e', 'Control+Enter']) {
      await page.keyboard.press(key);
      await page.locator('dialog').waitFor();
      await expectAccessible(page, key);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('d');
    await page.locator('.editor').waitFor();
    await expectAccessible(page, 'd');
  });

  test('axe finds nothing before and after a review in a narrow window, nor where a used link is refused', async () => {
    const one = await car.review();
    const page = await car.newPage({ bypassCSP: true, viewport: { width: 400, height: 800 } });
    const isFine = async (view: string) => {
      await expectAccessible(page, view);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect([view, wide]).toEqual([view, 0]);
    };
    await page.goto(one.link);
    await waitUntilOpen(page);
    await isFine('review');
    const late = await car.newPage({ bypassCSP: true });
    await late.goto(one.link);
    await late.getByText('This page cannot review').waitFor();
    expect(await findViolations(late)).toEqual([]);
    // The photo is in view when the page opens, and when a find below it is chosen.
    expect(await page.locator('.stage').boundingBox()).toMatchObject({ y: expect.closeTo(170, -2) });
    await page.locator('.entry').last().click();
    await expect.poll(async () => (await page.locator('.stage').boundingBox())?.y).toBeLessThan(60);
    one.child.kill('SIGINT');
    expect(await one.ended).toBe(130);
    await page.keyboard.press('a');
    await page.getByText('Not saved. The command does not answer. Trying again.').waitFor();
    await isFine('ended');
  });

  test('every key of the table has a control; nothing moves by itself', async () => {
    const page = await car.sharedPage();
    const moving = await page.evaluate<string[]>(`[...document.querySelectorAll('*')].filter((one) => {
      const { transitionDuration, animationName } = getComputedStyle(one);
      return transitionDuration !== '0s' || animationName !== 'none';
    }).map(({ outerHTML }) => outerHTML)`);
    expect(moving).toEqual([]);
    await page.locator('.top [data-command=keys]').press('Enter');
    const { SHORTCUTS } = await import('../../src/web/review/keys.ts');
    for (const { words } of Object.values(SHORTCUTS))
      expect(await page.locator('dialog').getByRole('button', { name: words, exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.dataset.command')).toBe('keys');
  });

  test('types that the part can have, and parts that can have the type', async () => {
    const { damages = [], to_check: toCheck = [] } = car.inspection.data.results ?? {};
    const found = [...damages, ...toCheck].find(({ location }) => fitsPart('dent', location.part));
    const damage_id = found?.damage_id ?? '';
    const page = await car.sharedPage(undefined, [{ decision: 'change', damage_id, type: 'dent' }]);
    await page.locator(`.entry[data-key=${damage_id}]`).click();
    await page.keyboard.press('l');
    await page.getByText('Windshield · as broken glass').waitFor();
    await page.keyboard.type('windshield');
    await page.keyboard.press('Enter');
    const types = page.locator('fieldset[data-command=type] button');
    await expect.poll(() => types.allTextContents()).toEqual(['Scratch', 'Crack', 'Broken glass']);
  });

  test('a price per part, and what usually comes with the repair, by key and by touch', async () => {
    const { link } = await car.review('--reviewer', 'Ada');
    const { page } = await car.open(link, { hasTouch: true, viewport: { width: 390, height: 844 } });
    await page.keyboard.press('o');
    const field = page.locator('[data-line]').first();
    const line = await field.getAttribute('data-line');
    await field.focus();
    await page.keyboard.type('1234');
    await page.keyboard.press('Tab');
    await waitUntilSaved(page);
    // Nobody has left anything out so far; what counts in no sum says so.
    expect(await page.locator('[data-operation][aria-pressed=true]').count()).toBe(0);
    const uncounted = car.inspection.data.results?.expected_operations?.filter(
      (one) => one.counted_in === 'none',
    );
    expect(await page.getByText('of jobs, not counted').count()).toBe(uncounted?.length);
    const operation = page.locator('[data-operation^="include:"]').first();
    const line_id = (await operation.getAttribute('data-operation'))?.replace('include:', '');
    await operation.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => operation.getAttribute('aria-pressed')).toBe('true');
    await page.locator(`[data-operation="exclude:${line_id}"]`).tap();
    await waitUntilSaved(page);
    await expect.poll(() => operation.getAttribute('aria-pressed')).toBe('false');
    expect(car.draft().decisions).toEqual([
      { decision: 'price', line, cost: 1234 },
      { decision: 'exclude', line_id },
    ]);
    expect(await page.locator('dialog').evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  });

  test('the plan leaves out a finding whose side is open, and says so', async () => {
    const path = join(car.dir, 'result.json');
    const text = readFileSync(path, 'utf8');
    const result = JSON.parse(text);
    const [first] = result.data.results.damages;
    result.data.results.damages = [first];
    first.location.uncertain = 'side';
    try {
      writeFileSync(path, JSON.stringify(result));
      const { link } = await car.review();
      const { page } = await car.open(link);
      await page.getByText(`Not on the plan: no. ${first.number};`).waitFor();
      expect(await page.locator('.plan path.hit').count()).toBe(0);
    } finally {
      writeFileSync(path, text);
    }
  });
});
