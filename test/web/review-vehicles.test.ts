import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/contract/review.ts';
import type { ReviewedEnvelope } from '../../src/contract/review-answers.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import {
  expectAccessible,
  useReviewBrowser,
  waitUntilOpen,
  waitUntilSaved,
} from '../helpers/browser/review-browser.ts';
import { startCommand } from '../helpers/browser/review-page.ts';
import { runCli } from '../helpers/cli/run-cli.ts';

const car = useReviewBrowser();

const move = (image_index: number, vehicle: number): Decision => ({
  decision: 'vehicle',
  image_index,
  vehicle,
});
const decided = () => expect.poll(() => car.draft().decisions);
const chips = (page: Page) => page.locator('[data-vehicle]');
const openMenu = async (page: Page, photo: number) => {
  await page.locator(`[data-photo="${photo}"]`).click();
  await page.keyboard.press('v');
  return page.locator('dialog .parts button');
};

describe.skipIf(!hasChromium)('several vehicles in a review, in Chromium', () => {
  test('a photo is moved by key, menu, drag and touch; a chip leads to its vehicle, and a reload shows the same', async () => {
    const page = await car.sharedPage({ hasTouch: true, bypassCSP: true });
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    expect(await chips(page).count()).toBe(0);
    await openMenu(page, 0);
    await page.keyboard.press('2');
    await expect.poll(() => chips(page).count()).toBe(2);
    await decided().toEqual([move(0, 2)]);
    // What is said covers no vehicle.
    const strip = await page.locator('.vehicles').boundingBox();
    const notice = await page.getByText('shows vehicle 2 now').boundingBox();
    expect(notice?.y).toBeGreaterThanOrEqual((strip?.y ?? 0) + (strip?.height ?? 0));
    await (await openMenu(page, 1)).getByText('Vehicle 2').click();
    await page.locator('[data-photo="2"]').dragTo(page.locator('[data-vehicle="2"]'));
    await decided().toEqual([move(0, 2), move(1, 2), move(2, 2)]);
    await waitUntilSaved(page);
    await expect.poll(() => chips(page).nth(1).textContent()).toMatch(/^Vehicle 2 blue.*, \d damage/);
    await chips(page).nth(0).click();
    expect(await chips(page).nth(0).getAttribute('aria-current')).toBe('true');
    await page.reload();
    await waitUntilOpen(page);
    expect(await chips(page).count()).toBe(2);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('[data-photo="3"]').tap();
    await page.locator('.tools [data-command=vehicle]').tap();
    await page.locator('dialog .parts button').nth(1).tap();
    await decided().toContainEqual(move(3, 2));
    await page.evaluate('scrollTo(0, 0)');
    // The figures of a vehicle come with the answer.
    await expect
      .poll(async () => (await chips(page).first().locator('span').boundingBox())?.width)
      .toBeGreaterThan(100);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await expectAccessible(page, 'phone');
    expect(faults).toEqual([]);
    // In the report, each row of the table of vehicles begins with the vehicle.
    const downloading = page.waitForEvent('download', { timeout: 100_000 });
    await page.keyboard.press('e');
    await page.locator('[data-export=html]').click();
    const report = await car.newPage({ viewport: { width: 390, height: 844 } });
    await report.setContent(readFileSync(await (await downloading).path(), 'utf8'));
    const rows = report.locator('.repair tbody tr', { hasText: /Vehicle|blue/ });
    expect(await rows.count()).toBe(2);
    for (const row of await rows.all()) {
      const tops = await row.locator('td:visible').evaluateAll((cells) =>
        cells.map((cell: { getBoundingClientRect(): { top: number; left: number } }) => {
          const { top, left } = cell.getBoundingClientRect();
          return Math.round(top) * 10_000 + left;
        }),
      );
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
    }
  });

  test('all on one vehicle is one decision; the reviewed file says who decided, and is reviewed again', async () => {
    writeFileSync(join(car.dir, 'moves.json'), JSON.stringify([move(0, 2), move(1, 2), move(2, 3)]));
    const split = 'review result.json --decisions moves.json --reviewer Ada -o mixed.json';
    expect((await runCli(split.split(' '), { cwd: car.dir })).code).toBe(0);
    const read = (name: string): ReviewedEnvelope => JSON.parse(readFileSync(join(car.dir, name), 'utf8'));
    const mixed = read('mixed.json');
    expect(mixed.review).toMatchObject({
      reviewer: 'Ada',
      photos_moved: expect.arrayContaining([move(0, 2)].map(({ decision: _, ...photo }) => photo)),
    });
    const words = ['review', 'mixed.json', '--no-open', '-o', 'one car.json'];
    const one = car.watch(await startCommand(car.dir, { terminal: true }, ...words));
    const { page } = await car.open(one.link, { bypassCSP: true });
    expect(await chips(page).count()).toBe(3);
    await expectAccessible(page, 'vehicles');
    // The last view has the figures of each, and none of all.
    await page.keyboard.press('Control+Enter');
    for (const vehicle of [1, 2, 3])
      await page
        .locator('dialog li')
        .getByText(new RegExp(`^Vehicle ${vehicle}.*: .* damages?`))
        .waitFor();
    expect(await page.locator('dialog .outcome').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'dark' });
    await openMenu(page, 0);
    await expectAccessible(page, 'menu');
    await page.locator('dialog [data-command=oneVehicle]').click();
    await expect.poll(() => chips(page).count()).toBe(1);
    await page.locator('.vehicles [data-command=oneVehicle]').click();
    await expect.poll(() => chips(page).count()).toBe(3);
    await page.keyboard.press('z');
    await expect.poll(() => chips(page).count()).toBe(1);
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('Reviewed by').fill('Bob');
    await page.locator('[data-finish]').click();
    await page.getByText("vehi report 'one car.json' -o report.pdf writes the report").waitFor();
    expect(await one.ended).toBe(0);
    const { data, review } = read('one car.json');
    expect(review.reviewer).toBe('Bob');
    expect(review.photos_moved?.every(({ vehicle }) => vehicle === 1)).toBe(true);
    expect(data.results).not.toHaveProperty('vehicles');
    expect(data.results?.coverage).toEqual(car.inspection.data.results?.coverage);
  });
});
