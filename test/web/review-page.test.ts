import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { readCurrentKey, useReviewBrowser, waitUntilSaved } from '../helpers/browser/review-browser.ts';
import { NOW } from '../helpers/browser/review-page.ts';
import { runCli } from '../helpers/cli/run-cli.ts';

const car = useReviewBrowser();
/** A vehicle of twelve photos is corrected within a minute. */
const PHOTO_MS = 5000;
/** Keystroke-level model (Card, Moran, Newell): a thought before each decision, and each key, milliseconds. */
const THOUGHT_MS = 1350;
const KEY_MS = 280;

test.skipIf(!hasChromium)(
  'the demo car by keyboard alone: the file is that of the same decisions on the command line',
  async () => {
    const one = await car.review('--output', 'page.json', '--reviewer', 'Ada');
    const { page, faults, origins } = await car.open(one.link);
    let keys = 0;
    const countDecided = () => {
      try {
        return car.draft().decisions.length;
      } catch {
        return 0;
      }
    };
    const isLeft = (decided: number) => keys < 100 && countDecided() < decided;
    const press = async (key: string) => {
      keys++;
      await page.keyboard.press(key);
      await waitUntilSaved(page);
    };
    // The certain ones are right, photo by photo; one place to check is, and the rest of its photos is not.
    const { damages = [], to_check: toCheck = [] } = car.inspection.data.results ?? {};
    await press('c');
    await press('u');
    while (isLeft(damages.length)) await press('Shift+A');
    await press('c');
    await press('u');
    await press('a');
    while (isLeft(damages.length + toCheck.length)) await press('Shift+R');
    const verdicts = car.draft().decisions.map(({ decision }) => decision);
    expect(verdicts.filter((one) => one === 'accept')).toHaveLength(damages.length + 1);
    expect(verdicts.filter((one) => one === 'reject')).toHaveLength(toCheck.length - 1);
    // One is drawn in the photo in view: arrows and Enter.
    const boxes = page.locator('.stage [data-box]');
    const seen = await boxes.count();
    expect(seen).toBeGreaterThan(0);
    await press('d');
    await page.locator('.editor').waitFor();
    expect(await boxes.count()).toBe(seen);
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight', 'Enter']) await press(key);
    await page.locator('.entry.added, dialog').first().waitFor();
    if (await page.locator('dialog').isVisible()) {
      await page.keyboard.type('roof');
      keys += 4;
      await press('Enter');
    }
    await page.locator('.entry.added').waitFor();
    await waitUntilSaved(page);
    // One is merged into the next.
    await page.locator('.entry').first().focus();
    const added = await page.locator('.entry.added').getAttribute('data-key');
    expect(await readCurrentKey(page)).toBe(added);
    await press('m');
    await press('k');
    await press('m');
    await page.locator('.entry', { hasText: 'part of no.' }).waitFor();
    // Merging keeps every box.
    await page.locator('.entry.added').click();
    await page.locator(`.stage [data-box="${added}"]`).waitFor();
    // Every photo is looked through to the end.
    const photos = car.inspection.data.images.length;
    for (let i = 0; i < photos; i++) await press('x');
    expect(car.draft().decisions.filter(({ decision }) => decision === 'nothing_more')).toHaveLength(photos);
    await press('Control+Enter');
    await page.locator('dialog').waitFor();
    // A finished page says nothing of saving any more.
    keys++;
    await page.keyboard.press('Enter');
    await page.getByText('Finished', { exact: true }).waitFor();
    expect(await page.locator('.outcome dt').allTextContents()).toEqual(['Repair', 'Damage', 'Check']);
    expect(await page.locator('[data-export]').count()).toBe(0);
    await page.close();
    expect(await one.ended).toBe(0);
    expect(keys - photos).toBeLessThanOrEqual(45);
    // A thought for each find and photo, and one each to accept the certain ones, draw, merge and finish.
    const thoughts = toCheck.length + photos + 4;
    expect(thoughts * THOUGHT_MS + keys * KEY_MS).toBeLessThan(photos * PHOTO_MS);
    expect(faults).toEqual([]);
    expect([...origins]).toEqual([new URL(one.link).origin]);
    writeFileSync(join(car.dir, 'decisions.json'), JSON.stringify(car.draft().decisions));
    const args = ['review', 'result.json', '--decisions', 'decisions.json', '-o', 'list.json'];
    const run = await runCli([...args, '--now', NOW, '--reviewer', 'Ada'], { cwd: car.dir });
    expect(run.stderr).toContain('written to list.json');
    expect(readFileSync(join(car.dir, 'page.json'), 'utf8')).toBe(
      readFileSync(join(car.dir, 'list.json'), 'utf8'),
    );
    // A reviewed result is a result: reports take it.
    const report = await runCli(['report', 'page.json', '--format', 'csv'], { cwd: car.dir });
    expect(report.code).toBe(0);
  },
);
