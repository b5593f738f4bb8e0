import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropFiles, signIn } from '../helpers/browser/app-page.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { usePages } from '../helpers/browser/use-pages.ts';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { TINY_MODELS, writeDrawnCar } from '../helpers/photos/drawn-car.ts';
import { type Serving, startServe } from '../helpers/services/serve.ts';
import { makeOwnFolder } from '../helpers/temporary-folder.ts';

let service: Serving;
/** Photos under names that say nothing: two of the car, in a folder within four of plain gray, and what is no photo. */
let folder: string;
const openPage = usePages();
/** Names of plain gray photos, also without the ending that says what they are. */
const GREY = ['IMG_0003.jpg', 'IMG_0004.jpg', 'IMG_0005.MPO', 'IMG_0006'];

beforeAll(async () => {
  if (!hasChromium) return;
  folder = join(makeOwnFolder('dropped'), 'photos');
  mkdirSync(join(folder, 'car'), { recursive: true });
  const fill = (name: string, background: string) =>
    sharp({ create: { width: 1280, height: 720, channels: 3, background } })
      .jpeg()
      .toFile(join(folder, name));
  // The tiny models see a hood in the drawn photo, and a left door in cyan.
  await writeDrawnCar(join(folder, 'car/IMG_0001.jpg'));
  await fill('car/IMG_0002.jpg', 'cyan');
  for (const [at, name] of GREY.entries()) await fill(name, `#${`${3 + at}0`.repeat(3)}`);
  writeFileSync(join(folder, 'notes.txt'), 'two scratches');
  writeFileSync(join(folder, '.thumb.jpg'), 'hidden');
  service = await startServe(['--sandbox', '--ephemeral', '--models', TINY_MODELS]);
});
afterAll(() => service?.stop());

async function openNew(): Promise<Page> {
  const { page } = await openPage({ viewport: { width: 1280, height: 860 } });
  await signIn(page, service.line.address, service.line.api_key);
  await page.getByRole('link', { name: 'New inspection' }).click();
  await page.locator('.drop').waitFor();
  return page;
}

const names = (page: Page) => page.locator('.uploads .name').allTextContents();
const there = (page: Page) => page.locator('.uploads li.uploaded');
const seenFrom = (page: Page, name: string) => page.getByLabel(`Seen from, ${name}`, { exact: true });
const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
  );

describe.skipIf(!hasChromium)('photos of a new inspection, in Chromium', () => {
  test('a dropped folder is sent; views come from the pictures, from digits and from the photo above', async () => {
    const page = await openNew();
    await dropFiles(page, [folder]);
    await page.getByText('Left out, not readable as a photo: notes.txt.').waitFor();
    expect((await names(page)).sort()).toEqual(['IMG_0001.jpg', 'IMG_0002.jpg', ...GREY]);
    await expect.poll(() => seenFrom(page, 'IMG_0001.jpg').inputValue()).toBe('front');
    await expect.poll(() => seenFrom(page, 'IMG_0002.jpg').inputValue()).toBe('left_side');
    await expect.poll(() => page.getByText('from the picture: check it').count()).toBe(2);
    await expect.poll(() => page.getByText('not recognized').count()).toBe(4);
    await expect.poll(() => there(page).count()).toBe(6);

    await seenFrom(page, 'IMG_0002.jpg').selectOption('rear_left');
    await expect.poll(() => page.getByText('from the picture: check it').count()).toBe(1);
    await page.getByText('Choose where 4 photos were taken from.').waitFor();
    const order = (await names(page)).filter((name) => GREY.includes(name));
    const [first = '', second = '', third = '', fourth = ''] = order;
    await seenFrom(page, first).focus();
    await page.keyboard.press('3');
    expect(await seenFrom(page, first).inputValue()).toBe('left_side');
    expect(await focused(page)).toBe(`Seen from, ${second}`);
    await page.keyboard.press('8');
    expect(await seenFrom(page, second).inputValue()).toBe('rear_right');
    await page.getByRole('button', { name: `As above, ${third}: rear right` }).click();
    expect(await seenFrom(page, third).inputValue()).toBe('rear_right');
    await page.getByLabel('Vehicle').fill('my car');
    await seenFrom(page, fourth).focus();
    await page.keyboard.press('9');
    expect(await seenFrom(page, fourth).inputValue()).toBe('top');
    const all = page.locator('.uploads select');
    if ((await all.last().getAttribute('aria-label')) === `Seen from, ${fourth}`)
      await expect.poll(() => focused(page)).toBe('Inspect');

    // Region, currency and options go with the request; that it is refused is said.
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Region of the rates').selectOption('EU_GERMANY');
    await page.getByLabel('Currency').selectOption('EUR');
    await page.getByLabel('List likely hidden damage').check();
    await page.getByLabel('Make the PDF report').uncheck();
    let body: unknown;
    const keys: (string | undefined)[] = [];
    await page.route('**/v1/inspections/visual', (route) => {
      body = route.request().postDataJSON();
      keys.push(route.request().headers()['idempotency-key']);
      const error = { code: 'SERVICE_UNAVAILABLE', message: 'Too many analyses are waiting already.' };
      return route.fulfill({ status: 503, json: { status: 'error', error } });
    });
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByText('Too many analyses are waiting already.').waitFor();
    const switches = { detailed_analysis: true, detect_hidden_damage: true, generate_report: false };
    const options = { labor_rate_region: 'EU_GERMANY', currency: 'EUR', ...switches };
    expect(body).toMatchObject({ vehicle_id: 'my car', options });
    const { images } = body as { images: { url: string; angle: string }[] };
    const angles = { [first]: 'left_side', [second]: 'rear_right', [third]: 'rear_right', [fourth]: 'top' };
    expect(Object.fromEntries(images.map(({ url, angle }) => [url.split('/').at(-1), angle]))).toEqual({
      ...angles,
      'IMG_0001.jpg': 'front',
      'IMG_0002.jpg': 'rear_left',
    });
    // Nothing is lost by it, and a repeat is the same request.
    expect(await there(page).count()).toBe(6);
    await page.getByRole('button', { name: 'Inspect' }).click();
    await expect.poll(() => keys.length).toBe(2);
    expect(keys[0]).toMatch(/^\d+(-\d+){3}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('a chosen folder is sent by path, and single files are dropped anywhere', async () => {
    const page = await openNew();
    await page.getByLabel('Choose a folder').setInputFiles(folder);
    await page.getByText('Left out, not readable as a photo: notes.txt.').waitFor();
    expect((await names(page)).sort()).toEqual(['IMG_0001.jpg', 'IMG_0002.jpg', ...GREY]);
    await dropFiles(page, [join(folder, 'IMG_0003.jpg'), join(folder, 'notes.txt')]);
    await expect.poll(() => names(page).then((all) => all.length)).toBe(7);
    await expect.poll(() => there(page).count()).toBe(7);
  });

  test('a HEIC photo has a picture, which the service draws', async () => {
    const page = await openNew();
    await page.getByLabel('Choose photos').setInputFiles(join(ROOT, 'fixtures/photos/landscape.heic'));
    await there(page).waitFor();
    const picture = page.locator('.uploads img.picture');
    await picture.waitFor();
    const size = () => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth);
    await expect.poll(size, { timeout: 60_000 }).toBe(320);
    expect(await picture.getAttribute('src')).toMatch(/uploads\/upl_\w+\/picture$/);
  });

  test('what is entered stays through another view, a lost network and an ended session; signing out clears it', async () => {
    const page = await openNew();
    await page.getByLabel('Vehicle').fill('my car');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Currency').selectOption('EUR');
    await page.context().setOffline(true);
    await page.getByLabel('Choose photos').setInputFiles(GREY.map((name) => join(folder, name)));
    const failed = page.locator('.uploads li.failed');
    await expect.poll(() => failed.getByText('The service does not answer.').count()).toBe(4);
    const what = '4 photos could not be uploaded: The service does not answer. Try again, or remove them.';
    await page.getByText(what).waitFor();
    await page.context().clearCookies();
    // What failed is sent again by itself, and finds that the session has ended.
    await page.context().setOffline(false);
    const signInAgain = async () => {
      await page.getByLabel('API key').fill(service.line.api_key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Inspections' }).click();
      await page.getByRole('heading', { name: 'Inspections' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'New inspection' }).waitFor();
    };
    await signInAgain();
    expect(await failed.getByText('The session has ended. Sign in again.').count()).toBe(4);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => there(page).count()).toBe(4);
    // Loading the page again would lose the photos: the browser asks.
    const asking = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload())');
    expect((await asking).type()).toBe('beforeunload');
    await (await asking).dismiss();
    expect(await page.getByLabel('Vehicle').inputValue()).toBe('my car');
    await page.getByText('More', { exact: true }).click();
    expect(await page.getByLabel('Currency').inputValue()).toBe('EUR');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInAgain();
    expect(await page.getByLabel('Vehicle').inputValue()).toBe('');
    expect(await names(page)).toEqual([]);
  });

  test('a photo that did not arrive is sent again; one on its way is canceled', async () => {
    const page = await openNew();
    await page.route('**/v1/uploads?name=IMG_0003.jpg', (route) => route.abort('connectionreset'));
    // Never answered: it stays on its way.
    await page.route('**/v1/uploads?name=IMG_0004.jpg', () => undefined);
    const files = ['IMG_0003.jpg', 'IMG_0004.jpg', 'IMG_0005.MPO'].map((name) => join(folder, name));
    await page.getByLabel('Choose photos').setInputFiles(files);
    const failed = page.locator('.uploads li.failed');
    await failed.getByText('The service does not answer.').waitFor();
    await page.unroute('**/v1/uploads?name=IMG_0003.jpg');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => there(page).count()).toBe(2);
    expect(await failed.count()).toBe(0);

    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('IMG_0004'));
    await page.getByRole('button', { name: 'Cancel IMG_0004.jpg' }).click();
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(await names(page)).toEqual(['IMG_0003.jpg', 'IMG_0005.MPO']);
    // One that is there is deleted with the service.
    const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Remove IMG_0003.jpg' }).click();
    expect((await deleted).status()).toBe(204);
    expect(await names(page)).toEqual(['IMG_0005.MPO']);

    // What the service refuses is not offered to be sent again.
    const text = { name: 'IMG_0009.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
    await page.getByLabel('Choose photos').setInputFiles(text);
    await failed.getByText('found a file that is not an image').waitFor();
    expect(await failed.getByRole('button').allInnerTexts()).toEqual(['Remove']);
  });
});
