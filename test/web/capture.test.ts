import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { portOf, startCapture } from '../helpers/browser/capture-run.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { expectAccessible } from '../helpers/browser/review-browser.ts';
import type { RunningPage } from '../helpers/browser/review-page.ts';
import { type Look, usePages } from '../helpers/browser/use-pages.ts';
import { runCli } from '../helpers/cli/run-cli.ts';
import { TINY_MODELS, writeDrawnCar } from '../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';
import { ask } from './ask.ts';

const PHONE = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true };

const running: RunningPage[] = [];
/** Captures run here with the tiny models, which see the front of a vehicle with damage in the drawn photos. */
const dir = makeOwnFolder('capture-page');
const DRAWN = join(dir, 'drawn.jpg');
const ANOTHER = join(dir, 'another.jpg');

beforeAll(async () => {
  await writeDrawnCar(DRAWN);
  await writeDrawnCar(ANOTHER, 9);
  writeFileSync(join(dir, 'vehi.config.json'), JSON.stringify({ models: TINY_MODELS }));
});

afterEach(async () => {
  for (const capture of running.splice(0)) await capture.kill();
});

async function start(name: string, port = 0, ...words: readonly string[]): Promise<RunningPage> {
  const capture = await startCapture(dir, name, port, ...words);
  running.push(capture);
  return capture;
}

// After the hook above: pages are closed before their commands.
const openPage = usePages();
async function openPhone(link: string, look: Look = {}) {
  const opened = await openPage({ ...PHONE, ...look });
  await opened.page.goto(link);
  return opened;
}
/** Faults but for what a browser says of a network that is gone. */
const ours = (faults: readonly string[]) =>
  faults.filter((one) => !/Failed to load resource|net::ERR/.test(one));

/** The row of a photo by the name in its button. */
const row = (page: Page, title: string) =>
  page.locator('.shot').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const take = (page: Page, title: string, path: string) =>
  row(page, title).locator('input').setInputFiles(path);

describe.skipIf(!hasChromium)('vehi capture in Chromium (skipped without /usr/bin/chromium)', () => {
  test('a phone photographs, learns what to change, and gets the result', async () => {
    const capture = await start('one', 0, '--vehicle-id', 'KIA 2019');
    const { page, faults } = await openPhone(capture.link);
    await page.getByRole('heading', { name: 'KIA 2019' }).waitFor();
    expect(page.url()).not.toContain('#');
    const [cut, dark, small] = [join(dir, 'cut.jpg'), join(dir, 'dark.jpg'), join(dir, 'small.jpg')];
    await sharp(DRAWN).extract({ left: 0, top: 0, width: 1300, height: 1080 }).toFile(cut);
    await sharp(DRAWN).linear(0.1, 0).jpeg({ quality: 95 }).toFile(dark);
    await sharp(DRAWN).resize(320).toFile(small);
    const corner = row(page, 'Front left corner');
    for (const [title, path, hint] of [
      ['Front', cut, 'Step back: the vehicle is cut off on the right.'],
      ['Front', DRAWN, 'Good'],
      ['Right side', ANOTHER, 'This looks like: Front.'],
      ['Rear', dark, 'Too dark'],
      ['Front left corner', small, 'The photo is too small'],
    ] as const) {
      await take(page, title, path);
      await row(page, title).getByText(hint).waitFor();
    }
    await expect.poll(() => page.locator('.count').textContent()).toBe('1 / 8');
    await corner.locator('canvas').waitFor();
    await corner.getByRole('button', { name: 'Discard' }).click();
    await corner.locator('.standpoint').waitFor();
    // A camera may have removed its file before the page reads it.
    await page.evaluate('File.prototype.arrayBuffer = () => Promise.reject(new Error())');
    await take(page, 'Front left corner', DRAWN);
    await corner.getByText('The desk cannot read this file as a photo').waitFor();
    await corner.getByRole('button', { name: 'Discard' }).click();
    await expectAccessible(page, 'capture');
    const stored = ['front.jpg', 'rear.jpg', 'replaced', 'right_side.jpg'];
    expect(readdirSync(join(dir, 'one')).sort()).toEqual(stored);
    // The original bytes, EXIF and all, under the name of the view; the photo taken before is kept.
    expect(readFileSync(join(dir, 'one/front.jpg'))).toEqual(readFileSync(DRAWN));
    expect(readFileSync(join(dir, 'one/replaced/front.jpg'))).toEqual(readFileSync(cut));
    // Finish is below the photos; what comes of it is brought into view above them.
    await page.evaluate('scrollTo(0, 1e6)');
    const full = { status: 500, json: { error: { code: '', message: 'The disk is full.' } } };
    await page.route('**/capture/finish', (route) => route.fulfill(full), { times: 1 });
    await page.getByRole('button', { name: 'Finish' }).click();
    await page.getByText('The desk failed: The disk is full.').waitFor();
    await page.getByRole('button', { name: 'Finish' }).click();
    const outcome = page.locator('.outcome');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toMatch(/^outcome /);
    expect((await outcome.boundingBox())?.y).toBeGreaterThan(40);
    await page.locator('.outcome.finished').waitFor();
    expect(await outcome.textContent()).toContain('Repair: ');
    expect(capture.stdout()).toContain('REPAIR');
    const result = JSON.parse(readFileSync(join(dir, 'one/inspection.json'), 'utf8'));
    expect(result.data.vehicle_id).toBe('KIA 2019');
    expect(result.data.images.length + result.data.rejected_images.length).toBe(3);
    await page.getByRole('link', { name: 'Open the report' }).click();
    await page.getByRole('heading', { name: 'KIA 2019' }).waitFor();
    expect(ours(faults)).toEqual([]);
  });

  test('photos stay on the phone while the desk is gone, and come when it is back', async () => {
    const first = await start('two');
    const { page, context } = await openPhone(first.link);
    await take(page, 'Front', DRAWN);
    await row(page, 'Front').getByText('Good').waitFor();
    await first.kill();
    await take(page, 'Rear', DRAWN);
    await take(page, 'Left side', DRAWN);
    await page.getByText('The desk does not answer').waitFor();
    await page.locator('.finish').getByText('not at the desk yet: 2').waitFor();
    expect(await page.getByRole('button', { name: 'Finish', exact: true }).isDisabled()).toBe(true);
    // The tab is closed, the battery dies.
    await page.close();
    const second = await start('two', portOf(first.link));
    const again = await context.newPage();
    await again.goto(second.link);
    await row(again, 'Rear').getByText('This looks like: Front.').waitFor();
    await row(again, 'Left side').getByText('This looks like: Front.').waitFor();
    expect(await again.locator('.count').textContent()).toBe('1 / 8');
    expect(readFileSync(join(dir, 'two/left_side.jpg'))).toEqual(readFileSync(DRAWN));
  });

  test('the network is cut in the middle of a photo, and nothing is lost or doubled', async () => {
    const capture = await start('cut');
    const { page, context } = await openPhone(capture.link);
    await row(page, 'Front').waitFor();
    await context.setOffline(true);
    await take(page, 'Front', DRAWN);
    await take(page, 'Damage, close up', DRAWN);
    await page.getByText('The desk does not answer').waitFor();
    await context.setOffline(false);
    // A stored photo stays in its row until the desk has listed it, and is not sent again.
    let isStored = false;
    page.on('response', (one) => {
      isStored ||= one.request().method() === 'PUT';
    });
    let isFailing = true;
    let failures = 0;
    await page.route('**/capture', async (route) => {
      if (!isStored || !isFailing) return route.fallback();
      failures++;
      await route.fulfill({ status: 500 });
    });
    await expect.poll(() => failures).toBeGreaterThan(0);
    await row(page, 'Front').getByText('Sending').waitFor();
    isFailing = false;
    await row(page, 'Front').getByText('Good').waitFor();
    await row(page, 'Damage, close up').getByText('damage_1.jpg').waitFor();
    expect(readdirSync(join(dir, 'cut')).sort()).toEqual(['damage_1.jpg', 'front.jpg']);
  });

  test('photos of one vehicle never go into the folder of another', async () => {
    const first = await start('three');
    const { page, context } = await openPhone(first.link);
    await row(page, 'Front').waitFor();
    await first.kill();
    await take(page, 'Front', DRAWN);
    await page.getByText('The desk does not answer').waitFor();
    const other = await start('four', portOf(first.link));
    const next = await context.newPage();
    await next.goto(other.link);
    await next.getByText('Photos of another capture wait on this phone: 1.').waitFor();
    await other.kill();
    expect(readdirSync(join(dir, 'four'))).toEqual([]);
    const back = await start('three', portOf(first.link));
    const last = await context.newPage();
    await last.goto(back.link);
    await row(last, 'Front').getByText('Good').waitFor();
    expect(readdirSync(join(dir, 'three'))).toEqual(['front.jpg']);
  });

  test('photos of two vehicles give the figures of each', async () => {
    const folder = join(dir, 'several');
    mkdirSync(folder);
    // The tiny models see vehicles in magenta and cyan, and damage in red.
    const spot = await sharp({ create: { width: 320, height: 320, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const [name, background] of [
      ['front', 'magenta'],
      ['rear', 'cyan'],
    ] as const)
      await sharp({ create: { width: 1280, height: 1280, channels: 3, background } })
        .composite([{ input: spot, left: 320, top: 320 }])
        .png()
        .toFile(join(folder, `${name}.png`));
    const { link, stdout } = await start('several');
    const { page } = await openPhone(link);
    await page.getByRole('button', { name: 'Finish' }).waitFor();
    // The same request twice, as after a lost answer, is one inspection.
    await page.evaluate(`Promise.all([1, 2].map(() => fetch('../capture/finish', {
      method: 'POST',
      headers: { 'X-Vehi-Session': localStorage.getItem('vehi-capture') },
    })))`);
    await page.reload();
    await page.locator('.outcome.finished').waitFor();
    expect(stdout().match(/^several: /gm)).toHaveLength(1);
    const lines = await page.locator('.outcome p').allTextContents();
    expect(lines.filter((line) => /^Vehicle [12] of 2: \S+$/.test(line))).toHaveLength(2);
    expect(lines.filter((line) => /^Damage: .*grade/.test(line))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('Repair: about $'))).toHaveLength(2);
  });

  test('a second phone with the same link gets nothing; a second tab shows what the first has sent', async () => {
    const capture = await start('five');
    const { page, context } = await openPhone(capture.link);
    await row(page, 'Front').waitFor();
    const { page: second } = await openPhone(capture.link);
    await second.getByText('This link has ended').waitFor();
    await capture.shown(/a link that was used before was opened/);
    // Another tab of the phone shows the photo once it is looked at.
    const tab = await context.newPage();
    await tab.goto(page.url());
    await row(tab, 'Front').waitFor();
    await take(page, 'Front', DRAWN);
    await row(page, 'Front').getByText('Good').waitFor();
    await tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await row(tab, 'Front').getByText('Good').waitFor();
    expect(readdirSync(join(dir, 'five'))).toEqual(['front.jpg']);
    const { page: third } = await openPhone(capture.link.replace(/#.*/, ''));
    await third.getByText('Scan the code that vehi capture shows.').waitFor();
  });

  test('known damage is shown as it was, in the language of the region, and laid over the new photo', async () => {
    mkdirSync(join(dir, 'handover'));
    for (const path of [DRAWN, ANOTHER]) copyFileSync(path, join(dir, 'handover', basename(path)));
    const inspect = ['inspect', 'handover', '--detailed', '-o', 'handover/result.json'];
    const handover = await runCli(inspect, { cwd: dir });
    expect(handover.code, handover.stderr).toBe(0);
    const words = ['--baseline', 'handover/result.json', '--region', 'EU_GERMANY'];
    const capture = await start('six', 0, ...words);
    const { page, faults } = await openPhone(capture.link, { colorScheme: 'dark' });
    const known = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: /Bekannte Schäden/ }) });
    await known.getByText('Vorher').first().waitFor();
    // An earlier photo that fails is asked for again once the desk answers.
    await page.route('**/capture/earlier/*', (route) => route.abort('connectionrefused'));
    await page.reload();
    await page.getByText('Der Rechner antwortet nicht').waitFor();
    await page.unroute('**/capture/earlier/*');
    await expect.poll(() => known.getByText('Vorher').count()).toBe(await known.locator('.shot').count());
    await known.locator('input').first().setInputFiles(DRAWN);
    await known.locator('.hint.good').first().waitFor();
    await expect.poll(() => known.locator('canvas.over').count()).toBe(1);
    // A file that is no photo is refused in the same language; the row shows where to stand, as before.
    const letter = join(dir, 'brief.jpg');
    writeFileSync(letter, 'Sehr geehrte Damen und Herren'.repeat(50));
    await take(page, 'Vorn', letter);
    await row(page, 'Vorn').getByText('Der Rechner kann diese Datei nicht als Foto lesen').waitFor();
    expect(await row(page, 'Vorn').locator('.standpoint').isVisible()).toBe(true);
    await expectAccessible(page, 'capture');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(existsSync(join(dir, 'six/known_1.jpg'))).toBe(true);
    expect(ours(faults)).toEqual([]);
  });
});

describe('vehi capture refuses', () => {
  let capture: RunningPage;
  beforeAll(async () => {
    capture = await startCapture(dir, 'refuse', 0);
  });
  afterAll(() => capture.kill());

  test('a handover in the folder of the new photos, a port that another program has, and an address elsewhere', async () => {
    mkdirSync(join(dir, 'seven'));
    writeFileSync(join(dir, 'seven/inspection.json'), '{}');
    for (const [words, said] of [
      ['seven --baseline seven/inspection.json', 'lies in the folder for the new photos'],
      [`nine --host 127.0.0.1 --port ${portOf(capture.link)}`, 'is in use'],
      ['nine --host 192.0.2.1', 'Choose another --host.'],
    ] as const) {
      const run = await runCli(['capture', ...words.split(' ')], { cwd: dir });
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said)]);
    }
    expect(readFileSync(join(dir, 'seven/inspection.json'), 'utf8')).toBe('{}');
  });

  const photo = { headers: { 'content-type': 'application/octet-stream' }, body: Buffer.alloc(2000, 'x') };
  // What the session of a command's page refuses in general is in review-door.test.ts.
  test.each([
    ['GET', '/capture', 421, { headers: { host: 'evil.example' } }],
    ['GET', '/capture', 401, {}],
    ['PUT', '/capture/photos/front', 401, photo],
    ['POST', '/capture/finish', 401, {}],
    ['GET', '/files/capture/report.html?expires=9999999999&signature=AAAA', 404, {}],
  ] as const)('%s %s from what is not its phone: %i', async (method, path, status, more) => {
    expect((await ask(capture.link, path, { method, ...more })).status).toBe(status);
    expect(readdirSync(join(dir, 'refuse'))).toEqual([]);
  });
});
