import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { useReviewBrowser, waitUntilSaved } from '../helpers/browser/review-browser.ts';
import { startReview } from '../helpers/browser/review-page.ts';
import { FIXTURES, ROOT } from '../helpers/cli/run-cli.ts';

const car = useReviewBrowser();

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
      expect(first.reduce((all, name) => all + kB(name), 0)).toBeLessThan(22.5);
    }
    expect(sum('.js')).toBeLessThan(56);
    expect(sum('.css')).toBeLessThan(12);
    expect(names.filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(html).not.toContain(car.dir);
  });

  test('no package of the page is installed with the command', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const name of ['preact', '@preact/signals']) expect(dependencies).not.toHaveProperty(name);
  });
});

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
      await page.locator('.entry.accepted').waitFor();
      await waitUntilSaved(page);
      const photo = page.locator('.strip img').first();
      await expect.poll(() => photo.evaluate((one: { naturalWidth?: number }) => one.naturalWidth)).toBe(320);
      expect(faults).toEqual([]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  test('ten photos of twelve megapixels, gone through twice, leave the heap small', async () => {
    const folder = join(car.dir, 'ten');
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
    const names = [...Array.from({ length: 9 }, (_, index) => `car/p${index}.jpg`), 'twin/p0.jpg'];
    writeFileSync(join(folder, 'car/p0.jpg'), jpeg);
    for (const name of names.slice(1)) linkSync(join(folder, 'car/p0.jpg'), join(folder, name));
    const images = names.map((url, index) => ({ ...large, index, url }));
    const many = { ...car.inspection, data: { ...car.inspection.data, images } };
    writeFileSync(join(folder, 'result.json'), JSON.stringify(many));

    const { page } = await car.open(car.watch(await startReview(folder)).link);
    await expect.poll(() => page.locator('.strip button').count()).toBe(10);
    expect(await page.locator('[data-photo="9"]').getAttribute('title')).toMatch(/^twin\/p0\.jpg/);
    for (let step = 0; step < 20; step++) {
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
