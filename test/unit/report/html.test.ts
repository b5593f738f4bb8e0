import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawBoxes } from '../../../src/report/html/drawings.ts';
import { renderHtml } from '../../../src/report/html/html-report.ts';
import { gatherPictures, NO_PICTURES } from '../../../src/report/pictures.ts';
import { english } from '../../../src/report/translator.ts';
import { hasChromium, launchChromium } from '../../helpers/browser/chromium.ts';
import { readPdf } from '../../helpers/reports/read-pdf.ts';
import { plainPictures } from '../../helpers/reports/report-pictures.ts';
import { exampleAssessment } from '../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const generatedAt = new Date('2026-11-20T10:00:00Z');
const some = exampleInspection({ damages: 8, photos: 4 });
const input = { inspection: some, assessment: exampleAssessment(some) };

describe('html', () => {
  it('escapes what comes from outside', () => {
    const inspection = exampleInspection({
      damages: 2,
      photos: 2,
      vehicleId: '</title><script>alert(1)</script>',
      photoUrl: (index) => `"><img src=x onerror=alert(${index})>.jpg`,
    });
    const text = renderHtml({ inspection, assessment: null }, NO_PICTURES, { generatedAt });
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toContain('<img src=x');
  });

  it('asks no address, keeps a range of money on one line, and is the same for the same input', () => {
    const text = renderHtml(input, NO_PICTURES, { generatedAt });
    expect(renderHtml(input, NO_PICTURES, { generatedAt })).toBe(text);
    expect(text).toMatch(/\$[\d,]+\u2060–\u2060[\d,]+/);
    expect(text).not.toMatch(/\$[\d,]+–[\d,]+</);
    expect(text).not.toMatch(/(?:src|href)="(?!data:|#)/);
    expect(text).not.toMatch(/@import|url\((?!#unseen\))/);
    expect(text).toContain('default-src &#39;none&#39;');
    // A phone shows the title of a column in each cell that is not empty.
    expect(text).toMatch(/data-label="Cost">\$/);
    expect(text).not.toMatch(/data-label="[^"]*">–?</);
  });

  it('covers no number of a photo by another one', () => {
    const [damage = expect.fail()] = some.data.results?.damages ?? [];
    const [photo = expect.fail()] = some.data.images;
    const finding = { damage, box: damage.location.coordinates, toCheck: true };
    const { text } = drawBoxes(photo, Array(4).fill(finding), english);
    expect(new Set(text.match(/class="tag" x="[\d.]+" y="[\d.]+"/g)).size).toBe(4);
  });
});

/** Words of table cells (no file names, no sums) that stand on two lines; runs in the page. */
const BROKEN_WORDS = `[...document.querySelectorAll('td:not(.breakable), th')].flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  return broken;
})`;

describe.skipIf(!hasChromium)(
  'html in Chromium (skipped where /usr/bin/chromium is not installed)',
  { timeout: 60_000, tags: ['slow'] },
  () => {
    const folder = makeOwnFolder('html');
    const file = join(folder, 'report.html');
    const requests: string[] = [];
    const errors: string[] = [];
    const WIDE = { width: 1200, height: 900 };
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      writeFileSync(file, renderHtml(input, await gatherPictures(input, plainPictures), { generatedAt }));
      browser = await launchChromium();
      page = await browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' });
      page.on('request', (request) => requests.push(request.url()));
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      await page.goto(pathToFileURL(file).href);
    }, 60_000);

    afterAll(() => browser?.close());

    it('opens from a file without a request or an error, all pictures decoded', async () => {
      expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
      expect(errors).toEqual([]);
      const widths = await page.$$eval('img', (images) => images.map((image) => image.naturalWidth));
      expect(widths).not.toContain(0);
      expect(await page.locator('.photo img').count()).toBe(4);
    });

    it('goes from a card to its box and back, by mouse and by keyboard', async () => {
      await page.locator('.card[data-number="3"] h4').click();
      expect(await page.locator('.box.current').getAttribute('data-number')).toBe('3');
      await page.locator('.box[data-number="5"] .tag').first().click();
      expect(await page.locator('.card.current').getAttribute('data-number')).toBe('5');
      const focused = () =>
        page.evaluate(`document.activeElement.classList[0] + document.activeElement.dataset.number`);
      await page.locator('.box[data-number="2"]').first().focus();
      await page.keyboard.press('Enter');
      expect(await focused()).toBe('card2');
      await page.keyboard.press('Enter');
      expect(await focused()).toBe('box2');
    });

    it('filters by severity and says how many are left', async () => {
      const minor = page.locator('input[value=minor]');
      const count = some.data.results?.damages.filter((one) => one.severity === 'minor').length ?? 0;
      await minor.uncheck();
      expect(await page.locator('.card:visible').count()).toBe(8 - count);
      expect(await page.locator('#live').textContent()).toBe(`${8 - count} of 8 damages shown`);
      expect(await page.locator('.box[data-severity=minor]:visible').count()).toBe(0);
      await minor.check();
      expect(await page.locator('.card:visible').count()).toBe(8);
    });

    it('enlarges a photo with its boxes, and gives the focus back', async () => {
      const button = page.locator('.zoom').first();
      const measure = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((one) => one.clientWidth);
      const before = await measure('.photo img');
      await button.focus();
      await page.keyboard.press('Enter');
      expect(await measure('dialog .photo img')).toBeGreaterThanOrEqual(before);
      expect(await page.locator('dialog .box').count()).toBeGreaterThan(0);
      await page.keyboard.press('Escape');
      expect(await page.locator('dialog').isVisible()).toBe(false);
      expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
    });

    it('is dark where the reader wants it dark', async () => {
      const background = () => page.evaluate(`getComputedStyle(document.body).backgroundColor`);
      expect(await background()).toBe('rgb(255, 255, 255)');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await background()).toBe('rgb(18, 22, 28)');
      await page.emulateMedia({ colorScheme: 'light' });
    });

    it('names everything for a screen reader', async () => {
      const names = await page.$$eval('button, [role=button], [role=img], img, input', (elements) =>
        elements.map(
          (one) =>
            one.getAttribute('aria-label') ||
            one.getAttribute('alt') ||
            (one.closest('label') ?? one).textContent.trim(),
        ),
      );
      expect(names).not.toContain('');
      const levels = await page.$$eval('h1,h2,h3,h4', (elements) =>
        elements.map((element) => Number(element.tagName[1])),
      );
      expect(levels[0]).toBe(1);
      expect(levels.filter((level, index) => level - (levels[index - 1] ?? 0) > 1)).toEqual([]);
    });

    it('shows a portrait photo whole on a screen', async () => {
      await page.evaluate(`(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 600, height: 1600 });
        const image = document.querySelector('.photo img');
        image.src = canvas.toDataURL();
        return image.decode();
      })()`);
      const box = await page.locator('.photo img').first().boundingBox();
      expect(box).toMatchObject({ width: 240, height: 640 });
    });

    it.each([
      ['on a phone', 390, 'screen'],
      ['on A4', 688, 'print'],
      ['on a screen', 1200, 'screen'],
    ] as const)('breaks no word of a table and does not scroll sideways %s', async (_, width, media) => {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ media });
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const cut =
        '[...document.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth).length';
      if (media === 'print') expect(await page.evaluate(cut)).toBe(0);
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize(WIDE);
    });

    it('has figures, repair and decision on the first printed page', async () => {
      await page.emulateMedia({ media: 'print' });
      const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
      await page.emulateMedia({ media: 'screen' });
      const [{ text } = { text: '' }] = (await readPdf(pdf)).pages;
      expect(text).toMatch(/not reviewed .*about \$.*Most severe damage .* parts seen .*Signature/s);
    });

    it('prints all damages, filtered or not, in light colors without controls', async () => {
      await page.locator('input[value=minor]').uncheck();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      expect(await page.locator('.card:visible').count()).toBe(8);
      expect(await page.locator('.bar').isVisible()).toBe(false);
      expect(await page.evaluate(`getComputedStyle(document.body).color`)).toBe('rgb(27, 36, 48)');
      await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
      await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
      await page.locator('input[value=minor]').check();
    });
  },
);
