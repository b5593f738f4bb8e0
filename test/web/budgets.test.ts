import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Placement } from '../../src/contract/review-answers.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { useReviewBrowser, waitUntilSaved } from '../helpers/browser/review-browser.ts';
import { startReview, withFinds } from '../helpers/browser/review-page.ts';
import { FIXTURES, ROOT } from '../helpers/cli/run-cli.ts';
import { TRUTH } from '../helpers/photos/demo-vehicle.ts';

const car = useReviewBrowser();

/** Reviews the result of another folder. */
async function reviewIn(folder: string): Promise<string> {
  const one = await startReview(folder);
  car.watch(one);
  return one.link;
}

describe('what the page weighs', () => {
  const assets = join(ROOT, 'dist/app/assets');
  const names = readdirSync(assets);
  const kB = (name: string) => gzipSync(readFileSync(join(assets, name))).length / 1024;
  const sum = (ending: string) =>
    names.filter((name) => name.endsWith(ending)).reduce((all, name) => all + kB(name), 0);

  test('scripts and styles stay within their budgets, and no map is shipped', () => {
    const html = readFileSync(join(ROOT, 'dist/app/index.html'), 'utf8');
    for (const page of ['index.html', 'capture.html']) {
      const html = readFileSync(join(ROOT, 'dist/app', page), 'utf8');
      const first = names.filter((name) => name.endsWith('.js') && html.includes(name));
      expect(first.length).toBeGreaterThan(0);
      expect(first.reduce((all, name) => all + kB(name), 0)).toBeLessThan(26.5);
    }
    expect(sum('.js')).toBeLessThan(66);
    expect(sum('.css')).toBeLessThan(12);
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(html).not.toContain(car.dir);
  });

  test('no package of the page is installed with the command', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const name of ['preact', '@preact/signals']) expect(dependencies).not.toHaveProperty(name);
  });
});

test.skipIf(!hasChromium)(
  'a box drawn on a door is proposed on that door, at least nine times of ten',
  async () => {
    const { address, secret, review } = await car.session();
    const headers = { 'Content-Type': 'application/json', 'X-Vehi-Session': secret };
    const place = async (body: object) => {
      const sent = { method: 'POST', headers, body: JSON.stringify(body) };
      const answer = await fetch(new URL(`${review}/place`, address), sent);
      return ((await answer.json()) as { data: Placement }).data;
    };
    const named: { readonly wanted: string; readonly found: string | null }[] = [];
    for (const { index, url } of car.inspection.data.images) {
      const parts = Object.entries(TRUTH.states.damaged.photos[basename(url)]?.parts ?? {});
      for (const [wanted, { box }] of parts.filter(([part]) => /_door_/.test(part))) {
        // The middle of the panel, below the windows and clear of its neighbors.
        const middle = {
          x: Math.round(box.x + box.width * 0.4),
          y: Math.round(box.y + box.height * 0.55),
          width: Math.max(1, Math.round(box.width * 0.2)),
          height: Math.max(1, Math.round(box.height * 0.15)),
        };
        const placed = await place({ image_index: index, box: middle, type: 'dent' });
        named.push({ wanted, found: placed.part });
      }
    }
    const right = named.filter(({ wanted, found }) => wanted === found);
    expect(named.length).toBeGreaterThanOrEqual(10);
    expect(right.length / named.length).toBeGreaterThanOrEqual(0.9);
  },
  300_000,
);

describe.skipIf(!hasChromium)('in Chromium', () => {
  test('everything works on another port, below a path that a proxy takes away', async () => {
    const { link } = await car.review();
    const { port } = new URL(link);
    const proxy = createServer((asked, answered) => {
      const path = (asked.url ?? '').replace(/^\/tools\/vehi/, '');
      if (path === asked.url) {
        answered.writeHead(404).end();
        return;
      }
      const { method = 'GET', headers } = asked;
      const onward = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        answered.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(answered);
      });
      onward.on('error', () => answered.destroy());
      answered.on('close', () => onward.destroy());
      asked.pipe(onward);
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    const { port: own } = proxy.address() as { port: number };
    try {
      const { page, faults } = await car.open(`http://127.0.0.1:${own}/tools/vehi/app/${new URL(link).hash}`);
      await page.keyboard.press('a');
      await expect
        .poll(() => page.locator('.entry.accepted, .entry.rejected').count(), { timeout: 30_000 })
        .toBe(1);
      await waitUntilSaved(page);
      const photo = page.locator('.strip img').first();
      await expect.poll(() => photo.evaluate((one: { naturalWidth?: number }) => one.naturalWidth)).toBe(320);
      expect(faults).toEqual([]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  test('sixty finds are listed, decided and summed', async () => {
    const folder = join(car.dir, 'sixty');
    mkdirSync(folder);
    symlinkSync(join(car.dir, 'car'), join(folder, 'car'));
    writeFileSync(join(folder, 'result.json'), JSON.stringify(withFinds(car.inspection, 60)));
    const { page } = await car.open(await reviewIn(folder));
    await expect.poll(() => page.locator('.entry').count()).toBe(60);
    const price = page.locator('.price');
    const before = await price.textContent();
    const rejected = page.locator('.entry.certain.rejected');
    await page.locator('.entry.certain').first().click();
    await page.keyboard.press('r');
    await expect.poll(() => price.textContent()).not.toBe(before);
    expect(await rejected.count()).toBe(1);
    for (let i = 0; i < 30; i++) await page.keyboard.press('r');
    await expect.poll(() => page.locator('.entry.rejected').count()).toBe(31);
    await waitUntilSaved(page);
  });

  test('twenty photos of twelve megapixels, gone through twice, leave the heap small', async () => {
    const folder = join(car.dir, 'twenty');
    mkdirSync(join(folder, 'car'), { recursive: true });
    const jpeg = await sharp(join(FIXTURES, 'vehicle/front.jpg'))
      .resize(4000, 3000, { fit: 'fill' })
      .jpeg({ quality: 85 })
      .toBuffer();
    const large = {
      ...car.inspection.data.images[0],
      width: 4000,
      height: 3000,
      bytes: jpeg.length,
      sha256: createHash('sha256').update(jpeg).digest('hex'),
    };
    mkdirSync(join(folder, 'twin'));
    const names = [...Array.from({ length: 19 }, (_, index) => `car/p${index}.jpg`), 'twin/p0.jpg'];
    writeFileSync(join(folder, 'car/p0.jpg'), jpeg);
    for (const name of names.slice(1)) linkSync(join(folder, 'car/p0.jpg'), join(folder, name));
    const images = names.map((url, index) => ({ ...large, index, url }));
    const many = { ...car.inspection, data: { ...car.inspection.data, images } };
    writeFileSync(join(folder, 'result.json'), JSON.stringify(many));

    const { page } = await car.open(await reviewIn(folder));
    await expect.poll(() => page.locator('.strip button').count()).toBe(20);
    expect(await page.locator('[data-photo="19"]').getAttribute('title')).toMatch(/^twin\/p0\.jpg/);
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('n');
      // The small picture, the view, and a cut-out.
      expect(await page.locator('.stage image').count()).toBeLessThanOrEqual(3);
    }
    await page.locator('.stage image').first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('Performance.enable');
    const { metrics } = await devtools.send('Performance.getMetrics');
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.POSITIVE_INFINITY;
    expect(heap / 1e6).toBeLessThan(60);
  }, 300_000);
});
