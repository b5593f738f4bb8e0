/**
 * Performance of the review page: `npx tsx test/bench/review-page.ts` (after a build) drives it in Chromium on the demo
 * vehicle and prints one JSON document. Values are in milliseconds unless named otherwise.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { prepareDemo, startReview, withFinds } from '../helpers/browser/review-page.ts';

const KEYS = 60;
const FINDS = 60;
/** Minimum viewing time per photo in milliseconds; the page prefetches meanwhile. */
const LOOK_MS = 1000;

// Runs in the page, which has separate types.
const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
const THUMBNAILS = `new Promise((done) => {
  const look = () => [...document.querySelectorAll('.strip img')].every((one) => one.complete && one.naturalWidth > 0)
    ? done(performance.now()) : requestAnimationFrame(look);
  look();
})`;
const pressed = (key: string) =>
  `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', code: '${/\d/.test(key) ? 'Digit' : 'Key'}${key.toUpperCase()}', bubbles: true, cancelable: true }))`;
const toPaint = (key: string) => `new Promise((done) => {
  const start = performance.now();
  ${pressed(key)};
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - start);
    channel.port2.postMessage(0);
  });
})`;
const toPrice = (key: string) => `new Promise((done) => {
  const price = document.querySelector('.price');
  const before = price.textContent;
  const start = performance.now();
  new MutationObserver((_, watch) => {
    if (price.textContent === before) return;
    watch.disconnect();
    done(performance.now() - start);
  }).observe(price, { subtree: true, childList: true, characterData: true });
  ${pressed(key)};
})`;
const toPhoto = `new Promise((done) => {
  const start = performance.now();
  ${pressed('n')};
  requestAnimationFrame(async () => {
    const picture = new Image();
    picture.src = document.querySelector('.stage image.whole').href.baseVal;
    await picture.decode();
    done(performance.now() - start);
  });
})`;

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0) * 10) / 10;
}

async function measure(page: Page, script: (turn: number) => string, times: number): Promise<number[]> {
  const values: number[] = [];
  for (let turn = 0; turn < times; turn++) values.push(await page.evaluate<number>(script(turn)));
  return values;
}

const dir = mkdtempSync(join(tmpdir(), 'vehi-bench-page-'));
const browser = await launchChromium();

/** Reviews a result in a page; the review is killed once `measure` has ended. */
async function withReview<T>(inspection: object, measure: (page: Page) => Promise<T>): Promise<T> {
  writeFileSync(join(dir, 'result.json'), JSON.stringify(inspection));
  rmSync(join(dir, 'result.review.json'), { force: true });
  const review = await startReview(dir);
  const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
  try {
    await page.goto(review.link);
    await page.locator('.entry').first().waitFor();
    return await measure(page);
  } finally {
    await page.close();
    await review.kill();
  }
}

/** Times from a key to what it paints, and to the new price. */
async function measureKeys(page: Page) {
  const certain = page.locator('.entry.certain').first();
  await certain.click();
  const paint = await measure(page, (turn) => toPaint(turn % 2 === 0 ? 'j' : 'k'), KEYS);
  await certain.click();
  const price = await measure(page, (turn) => toPrice(turn % 2 === 0 ? '1' : '4'), KEYS);
  return { keyToPaintP95: p95(paint), keyToPriceP95: p95(price) };
}

/** Times of opening the page and of each next photo, at once and after a look at it. */
async function measurePhotos(page: Page, photoCount: number) {
  const thumbnails = await page.evaluate<number>(THUMBNAILS);
  const firstPaint = await page.evaluate<number>(FIRST_PAINT);
  const rushed = await measure(page, () => toPhoto, photoCount);
  const looked: number[] = [];
  for (let at = 0; at < photoCount; at++) {
    await page.waitForTimeout(LOOK_MS);
    looked.push(await page.evaluate<number>(toPhoto));
  }
  return {
    firstContentfulPaint: Math.round(firstPaint),
    thumbnails: Math.round(thumbnails),
    nextPhotoP95: p95(looked),
    nextPhotoRushedP95: p95(rushed),
  };
}

try {
  const inspection = await prepareDemo(dir);
  const photoCount = inspection.data.images.length;
  const figures = {
    loadAverage: loadavg()[0],
    photos: await withReview(inspection, (page) => measurePhotos(page, photoCount)),
    found: await withReview(inspection, measureKeys),
    [`${FINDS} findings`]: await withReview(withFinds(inspection, FINDS), measureKeys),
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await browser.close();
  rmSync(dir, { recursive: true, force: true });
}
