/**
 * Performance of the review page: `npx tsx test/bench/review-page.ts` (after a build) drives it in Chromium on the demo
 * vehicle and prints one JSON document. Values are in milliseconds unless named otherwise.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../helpers/browser/chromium.ts';
import { prepareDemo, type RunningReview, startReview, withFinds } from '../helpers/browser/review-page.ts';

const KEYS = 60;
const FINDS = 60;
/** Minimum viewing time per photo in milliseconds; the page prefetches meanwhile. */
const LOOK_MS = 1000;
/** Keystroke-level model (Card, Moran, Newell): mental preparation per decision, and time per key, in milliseconds. */
const THOUGHT_MS = 1350;
const KEY_MS = 280;

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

async function measured(page: Page, script: (turn: number) => string, times: number): Promise<number[]> {
  const values: number[] = [];
  for (let turn = 0; turn < times; turn++) values.push(await page.evaluate<number>(script(turn)));
  return values;
}

/** Decides everything by keyboard at full speed: accepts certain findings, views those to check. */
async function runThrough(page: Page, toCheck: number): Promise<{ keys: number; waitedMs: number }> {
  let keys = 0;
  const start = performance.now();
  const press = async (key: string) => {
    keys++;
    await page.keyboard.press(key);
    await page.locator('.saving.saved').waitFor();
  };
  await press('Shift+A');
  for (let i = 0; i < toCheck; i++) await press(i === 0 ? 'a' : 'r');
  await press('Control+Enter');
  await page.locator('dialog').waitFor();
  keys++;
  await page.keyboard.press('Enter');
  await page.getByText('Finished', { exact: true }).waitFor();
  return { keys, waitedMs: Math.round(performance.now() - start) };
}

const dir = mkdtempSync(join(tmpdir(), 'vehi-bench-page-'));
const running: RunningReview[] = [];
const browser = await launchChromium();
try {
  const inspection = await prepareDemo(dir);
  const { data } = inspection;
  const open = async () => {
    const review = await startReview(dir);
    running.push(review);
    const page = await browser.newPage({ viewport: { width: 1400, height: 860 } });
    await page.goto(review.link);
    await page.locator('.entry').first().waitFor();
    return page;
  };
  const close = async (page: Page) => {
    await page.close();
    running.at(-1)?.child.kill('SIGKILL');
    await running.at(-1)?.ended;
  };
  const page = await open();
  const thumbnails = await page.evaluate<number>(THUMBNAILS);
  const firstPaint = await page.evaluate<number>(FIRST_PAINT);
  const rushed = await measured(page, () => toPhoto, data.images.length);
  const looked: number[] = [];
  for (const _photo of data.images) {
    await page.waitForTimeout(LOOK_MS);
    looked.push(await page.evaluate<number>(toPhoto));
  }
  await page.locator('.entry.certain').first().click();
  const paint = await measured(page, (turn) => toPaint(turn % 2 === 0 ? 'j' : 'k'), KEYS);
  await page.locator('.entry.certain').first().click();
  const price = await measured(page, (turn) => toPrice(turn % 2 === 0 ? '1' : '4'), KEYS);
  for (let i = 0; i < KEYS; i++) await page.keyboard.press('z');
  await page.locator('.saving.saved').waitFor();
  await close(page);
  writeFileSync(join(dir, 'result.json'), JSON.stringify(withFinds(inspection, FINDS)));
  rmSync(join(dir, 'result.review.json'), { force: true });
  const many = await open();
  const manyPaint = await measured(many, (turn) => toPaint(turn % 3 === 2 ? 'k' : 'j'), KEYS);
  await many.locator('.entry.certain').first().click();
  const manyPrice = await measured(many, (turn) => toPrice(turn % 2 === 0 ? '1' : '4'), KEYS);
  await close(many);
  writeFileSync(join(dir, 'result.json'), JSON.stringify(inspection));
  rmSync(join(dir, 'result.review.json'), { force: true });

  const toCheck = data.results?.to_check.length ?? 0;
  const run = await runThrough(await open(), toCheck);
  const decisions = toCheck + 1 + 1;
  process.stdout.write(
    `${JSON.stringify(
      {
        loadAverage: loadavg()[0],
        photos: data.images.length,
        findings: (data.results?.damages.length ?? 0) + toCheck,
        firstContentfulPaint: Math.round(firstPaint),
        thumbnails: Math.round(thumbnails),
        nextPhotoP95: p95(looked),
        nextPhotoRushedP95: p95(rushed),
        keyToPaintP95: p95(paint),
        keyToPriceP95: p95(price),
        manyFinds: FINDS,
        manyKeyToPaintP95: p95(manyPaint),
        manyKeyToPriceP95: p95(manyPrice),
        keys: run.keys,
        pageAloneSeconds: run.waitedMs / 1000,
        modelledSeconds: Math.round((run.waitedMs + decisions * THOUGHT_MS + run.keys * KEY_MS) / 100) / 10,
      },
      null,
      2,
    )}\n`,
  );
} finally {
  await browser.close();
  for (const one of running) {
    one.child.kill('SIGKILL');
    await one.ended;
  }
  rmSync(dir, { recursive: true, force: true });
}
