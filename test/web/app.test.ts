import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPhotos, inspectDrawn, signIn } from '../helpers/browser/app-page.ts';
import { hasChromium } from '../helpers/browser/chromium.ts';
import { expectAccessible, findViolations } from '../helpers/browser/review-browser.ts';
import { type Look, usePages, type Watched } from '../helpers/browser/use-pages.ts';
import { makeGate } from '../helpers/gate.ts';
import { TINY_MODELS } from '../helpers/photos/drawn-car.ts';
import { type Serving, startServe } from '../helpers/services/serve.ts';

let service: Serving;
let vehicle: string;
const openPage = usePages();

beforeAll(async () => {
  if (!hasChromium) return;
  service = await startServe(['--sandbox', '--ephemeral', '--models', TINY_MODELS]);
  vehicle = await inspectDrawn(service.line);
});
afterAll(async () => {
  await service?.stop();
});

const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 390, height: 800 };

/** Signs in, and goes to a view by the path after the hash. */
async function open(view = '', look: Look = {}): Promise<Watched> {
  const opened = await openPage({ viewport: WIDE, ...look });
  await signIn(opened.page, service.line.address, service.line.api_key);
  if (view !== '') await opened.page.goto(`${service.line.address}/app/#/${view}`);
  return opened;
}

describe.skipIf(!hasChromium)('/app in Chromium (skipped where /usr/bin/chromium is not installed)', () => {
  test('photos are sent, a bad one is named, the car is inspected, reviewed and exported', async () => {
    const { page, faults, origins } = await open('new');
    await page.getByLabel('Vehicle').fill('my car');
    const drawn = await drawPhotos();
    const [{ buffer, ...first } = { buffer: Buffer.of() }] = drawn;
    const small = { ...first, name: 'small.jpg', buffer: await sharp(buffer).resize(640, 480).toBuffer() };
    const cut = { ...first, name: 'cut.jpg', buffer: buffer.subarray(0, 20_000) };
    await page.getByLabel('Choose photos').setInputFiles([...drawn, small, cut] as typeof drawn);
    const bad = page.locator('.uploads li.failed');
    await bad.getByText('640x480').waitFor();
    await bad.getByText('a damaged JPEG file: about').waitFor();
    expect(await bad.locator('.name').allTextContents()).toEqual(['small.jpg', 'cut.jpg']);
    await expect.poll(() => page.locator('.uploads li.uploaded').count()).toBe(drawn.length);
    expect(await page.getByLabel('Seen from, rear_right.jpg').inputValue()).toBe('rear_right');
    expect(await page.getByRole('button', { name: 'Inspect' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove small.jpg' }).click();
    await page.getByRole('button', { name: 'Remove cut.jpg' }).click();
    // An id that is too long is refused in words, not cut.
    await page.getByLabel('Vehicle').selectText();
    await page.keyboard.insertText('x'.repeat(129));
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('alert').getByText('vehicle_id').waitFor();
    await page.getByLabel('Vehicle').fill('my car');
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('heading', { name: 'my car' }).waitFor();
    await page.getByText('Not reviewed', { exact: true }).waitFor();
    const report = page.frameLocator('.report');
    const readReport = async () => (await report.locator('body').textContent())?.replace(/\s+/g, ' ') ?? '';
    await report.locator('#findings').waitFor();
    const found = await readReport();
    expect(found).toMatch(/about \$[\d,]+up to \$[\d,]+/);
    expect(found).not.toContain('Reviewed');
    await page.getByRole('link', { name: 'Review' }).click();

    await page.locator('.entry').first().waitFor();
    const price = await page.locator('.price').textContent();
    // The worst one is no damage, what is left on the photo after it is.
    await page.keyboard.press('r');
    await page.keyboard.press('Shift+A');
    await expect.poll(() => page.locator('.price').textContent()).not.toBe(price);
    await page.locator('.saving.saved').waitFor();
    expect(await page.locator('.stage image').first().getAttribute('href')).toContain('/files/vis_');
    const reviewed = await page.locator('.price').textContent();
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('Reviewed by').fill('Ada');
    await page.getByLabel('Reviewed by').press('Tab');
    await page.locator('.saving.saved').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.entry.accepted').first().click();
    expect(await page.locator('.panel .facts').first().textContent()).toContain('confirmed by Ada');
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-finish]').click();
    await page.getByText('Finished', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Inspection' }).click();
    await page.getByText('Reviewed by Ada', { exact: true }).waitFor();
    await report.locator('#review').waitFor();
    const amount = reviewed ?? '';
    expect(amount).toMatch(/^about \$[\d,]+$/);
    expect(await readReport()).toContain(amount);
    expect(await readReport()).toContain('confirmed by Ada');
    expect(found).not.toContain(amount);
    for (const format of ['html', 'json', 'csv', 'estimate', 'coco']) {
      const downloading = page.waitForEvent('download');
      await page.locator(`[data-export="${format}"]`).click();
      expect(readFileSync(await (await downloading).path()).length, format).toBeGreaterThan(300);
    }
    await page.getByRole('link', { name: 'Inspections' }).click();
    await page.locator('.filters select').nth(1).selectOption('true');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('tbody tr').textContent()).toContain('my car');
    expect(amount).toContain(await page.locator('tbody .price').textContent());
    expect([...origins]).toEqual([service.line.address]);
    // What the browser says of the photos and the id that were refused.
    expect(faults.filter((one) => !/400|422/.test(one))).toEqual([]);
  }, 300_000);

  test('filters narrow the list', async () => {
    const { page } = await open();
    const car = page.getByRole('link', { name: 'demo car' });
    const none = page.getByText('No inspection matches these filters.');
    const name = page.getByLabel('Vehicle');
    const status = page.getByLabel('Status');
    await name.fill('nobody');
    await name.press('Enter');
    await none.waitFor();
    // As the button in the field does: it is empty, and keeps the focus.
    await name.fill('');
    await car.waitFor();
    await name.fill('demo car');
    await name.press('Enter');
    // The way back from an inspection, and loading the page again, lead to the same list.
    await status.selectOption('completed');
    await car.click();
    await page.getByRole('heading', { name: 'demo car' }).waitFor();
    await page.goBack();
    await car.waitFor();
    await page.reload();
    await car.waitFor();
    expect([await name.inputValue(), await status.inputValue()]).toEqual(['demo car', 'completed']);
    await page.getByLabel('To').fill('2020-01-01');
    await none.waitFor();
    expect(await car.count()).toBe(0);
    await page.getByRole('link', { name: 'Inspections' }).click();
    await car.waitFor();
    expect(await name.inputValue()).toBe('');
    // A list that could not be had is asked for again, without rows that the filters do not ask for.
    await page.context().setOffline(true);
    await status.selectOption('failed');
    await page.getByText('The service does not answer.').waitFor();
    expect(await car.count()).toBe(0);
    await page.context().setOffline(false);
    await none.waitFor();
  });

  test('on a phone the price stands on the line of the vehicle, and each figure after its name, at the right', async () => {
    const { page } = await open('', { viewport: NARROW });
    await page.locator('tbody tr').first().waitFor();
    const [made, vehicleTop, , ...figures] = await page.evaluate<readonly [number, string, string][]>(
      `[...document.querySelector('tbody tr').cells].map((one) =>
        [one.offsetTop, getComputedStyle(one).textAlign, getComputedStyle(one, '::before').content])`,
    );
    expect(made?.[0]).toBeGreaterThan(vehicleTop?.[0] ?? 0);
    expect(figures[3]?.[0]).toBe(vehicleTop?.[0]);
    expect(figures.map(([, align]) => align)).toEqual(['left', ...Array(4).fill('right')]);
    for (const [, , name] of figures) expect(name).toMatch(/^"\w+: "$/);
  });

  test('pages of the list are turned without losing the focus; what is in work is looked at again', async () => {
    const { page } = await open();
    let status = 'processing';
    let hold: Promise<void> = Promise.resolve();
    await page.route('**/v1/inspections/visual?*', async (route) => {
      await hold;
      const url = new URL(route.request().url());
      const cursor = url.searchParams.get('cursor');
      url.searchParams.delete('cursor');
      const answer = await (await route.fetch({ url: url.href })).json();
      const [one] = answer.data.inspections;
      answer.data.inspections = [{ ...one, vehicle_id: cursor ?? 'newest', status }];
      answer.data.pagination.next_cursor = { newest: 'older', older: 'oldest' }[cursor ?? 'newest'] ?? null;
      await route.fulfill({ json: answer });
    });
    await page.getByLabel('Status').selectOption('completed');
    await page.getByRole('link', { name: 'newest' }).waitFor();
    const { passed: held, open: release } = makeGate();
    hold = held;
    // A second press before the list has come turns no further page.
    const older = page.getByRole('button', { name: 'Older' });
    for (const _ of [1, 2]) await older.press('Enter');
    expect(await older.getAttribute('aria-disabled')).toBe('true');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Older');
    release();
    await page.getByRole('link', { name: 'older' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Older');
    await page.goBack();
    await page.getByRole('link', { name: 'newest' }).waitFor();
    status = 'completed';
    await page.locator('tbody td', { hasText: 'completed' }).waitFor();
  });

  test('a decision made after the session has ended is kept, and stored after signing in again', async () => {
    const { page, context } = await open(`inspections/${vehicle}/review`);
    await page.locator('.entry').first().waitFor();
    const before = await page.locator('.entry.rejected').count();
    await context.clearCookies();
    await page.keyboard.press('r');
    await page.getByText('The session has ended. Sign in again.').waitFor();
    await page.getByLabel('API key').fill(service.line.api_key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.entry.rejected').nth(before).waitFor();
    expect(await page.locator('.saving').textContent()).toContain('Saved');
  });

  test('a script that does not arrive is said, and so is a service that does not answer on opening', async () => {
    const { page } = await open();
    await page.route('**/assets/page-*.js', (route) => route.abort());
    await page.goto(`${service.line.address}/app/#/inspections/${vehicle}/review`);
    await page.getByText('The script of the review did not arrive.').waitFor();
    await page.unroute('**/assets/page-*.js');
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.locator('.entry').first().waitFor();
    await page.route('**/app/session', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('The service does not answer.');
  });

  test('a key is made, shown once, works, and is gone once revoked; that ends its sessions', async () => {
    const { page } = await open('keys');
    const goTo = async (view: string) => {
      await page.getByRole('link', { name: view }).click();
      await page.getByRole('heading', { name: view }).waitFor();
    };
    await page.getByText('the old one works for 24 hours more').waitFor();
    const form = page.getByRole('form', { name: 'New key' });
    const create = async (name: string) => {
      await form.getByLabel('Name').fill(name);
      await form.getByRole('button', { name: 'Create key' }).click();
    };
    await form.getByLabel('keys:manage').check();
    await create('desk');
    const key = await page.getByLabel(/^Key desk: copy it now/).inputValue();
    expect(key).toMatch(/^dev_/);
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(key);
    // A page over plain HTTP has no navigator.clipboard.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const copy = page.getByRole('button', { name: 'Copy' });
    await copy.click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('getSelection().toString()')).toBe(key);
    await page.evaluate('document.execCommand = () => false');
    await copy.click();
    await page.getByText('Not copied: it is selected, press Ctrl+C.').waitFor();
    const { page: second } = await openPage();
    await signIn(second, service.line.address, key);
    await second.getByRole('link', { name: 'API keys' }).click();
    await second.getByText('signed in with').waitFor();
    expect(await second.locator('body').textContent()).not.toContain(key);
    const revoke = page.getByRole('button', { name: 'Revoke the key desk' });
    const asked: string[] = [];
    page.on('dialog', (one) => {
      asked.push(one.message());
      // Refused the first time.
      void (asked.length === 1 ? one.dismiss() : one.accept());
    });
    await revoke.click();
    expect(await page.locator('.folded').count()).toBe(0);
    await revoke.click();
    expect(asked).toEqual(Array(2).fill('Revoke the key desk at once?'));
    // Folded away: out of sight until somebody asks.
    const gone = page.locator('.folded tr', { hasText: 'desk' });
    await gone.waitFor({ state: 'attached' });
    expect(await gone.isVisible()).toBe(false);
    await page.getByText('1 revoked key').click();
    await gone.getByText('revoked').waitFor();
    expect(await gone.getByRole('button').count()).toBe(0);
    await second.getByRole('link', { name: 'Inspections' }).click();
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await second.getByRole('alert').textContent()).toContain('revoked');
    // A key whose answer comes after the view was left is shown on the return, and only then.
    const { passed: held, open: release } = makeGate();
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await create('late');
    await goTo('Inspections');
    const answered = page.waitForResponse((one) => one.request().method() === 'POST');
    release();
    await (await answered).finished();
    for (const shown of [1, 0]) {
      await goTo('API keys');
      await page.getByRole('button', { name: 'Revoke the key late' }).waitFor();
      await expect.poll(() => page.getByLabel(/^Key late: copy it now/).count()).toBe(shown);
      await goTo('Inspections');
    }
  });

  test('the report stands in a frame: its cards lead to their boxes, it reaches nothing of the service', async () => {
    const { page, faults, origins } = await open(`inspections/${vehicle}`);
    const report = page.frameLocator('.report');
    const card = report.locator('.card').first();
    await card.locator('h4').click();
    const id = await card.getAttribute('data-damage');
    await report.locator(`.box.current[data-damage="${id}"]`).first().waitFor();
    const frame = page.frames()[1];
    expect(await frame?.evaluate<string>('origin')).toBe('null');
    await expect(frame?.evaluate('document.cookie')).rejects.toThrow(/sandbox/);
    await expect(frame?.evaluate("fetch('/v1/inspections')")).rejects.toThrow(/Failed to fetch/);
    expect(faults.filter((one) => !/Content Security Policy|Fetch API/.test(one))).toEqual([]);
    expect([...origins].filter((one) => one !== 'null')).toEqual([service.line.address]);
    // The pictures are there one by one, too.
    const photos = page.locator('.photos a');
    expect(await photos.count()).toBe(4);
    const [picture] = await Promise.all([page.context().waitForEvent('page'), photos.first().click()]);
    await picture.locator('img').waitFor();
  });

  test('an inspection is deleted once it is confirmed', async () => {
    const id = await inspectDrawn(service.line, { 'x-vehi-simulate': 'failed' });
    const { page } = await open(`inspections/${id}`);
    const remove = page.getByRole('button', { name: 'Delete…' });
    const answers = ['dismiss', 'accept'] as const;
    let asked = 0;
    page.on('dialog', (one) => void one[answers[asked++] ?? 'accept']());
    await remove.click();
    await remove.click();
    await page.getByRole('heading', { name: 'Inspections' }).waitFor();
    expect(asked).toBe(2);
    const headers = { authorization: `Bearer ${service.line.api_key}` };
    const gone = await fetch(`${service.line.address}/v1/inspections/visual/${id}`, { headers });
    expect(gone.status).toBe(404);
  });

  test('signing in says what this is and where a key comes from, and names a wrong key', async () => {
    const { page } = await open();
    await page.route('**/app/session', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('The service does not answer. The session has not ended').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('main').textContent()).toMatch(
      /^vehi inspects photos of a vehicle.*vehi admin keys create.*vehi serve --sandbox/,
    );
    await page.getByLabel('API key').fill('dev_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('not known');
  });

  test('axe finds nothing in any view, whatever the look', async () => {
    const { page } = await open('', { bypassCSP: true });
    const isFine = async (view: string) => {
      // The second is the wide one zoomed to 200 %.
      for (const size of [NARROW, { width: 640, height: 430 }, WIDE]) {
        await page.setViewportSize(size);
        // Colors do not depend on the width.
        if (size === WIDE) await expectAccessible(page, view);
        else if (size === NARROW) expect([view, await findViolations(page)]).toEqual([view, []]);
        // Nothing of a table is behind a scroll: no price, no button.
        const layout = await page.evaluate(`(() => {
          const scrolled = [...document.querySelectorAll('.scroll')].filter((one) => one.checkVisibility());
          return {
            wide: document.documentElement.scrollWidth - innerWidth,
            hidden: scrolled.filter((one) => one.scrollWidth !== one.clientWidth).length,
            columns: scrolled.filter((one) => getComputedStyle(one.firstChild).columnCount !== 'auto').length,
          };
        })()`);
        expect([view, size, layout]).toEqual([view, size, { wide: 0, hidden: 0, columns: 0 }]);
      }
    };
    for (const [view, hash, ready] of [
      ['inspections', '', 'tbody tr'],
      ['inspection', `inspections/${vehicle}`, '.photos img'],
      ['review', `inspections/${vehicle}/review`, '.strip img'],
      ['new', 'new', '.drop'],
      ['keys', 'keys', 'tbody tr'],
    ] as const) {
      await page.setViewportSize(WIDE);
      await page.goto(`${service.line.address}/app/#/${hash}`);
      await page.locator(ready).first().waitFor();
      if (view === 'new') {
        const notes = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
        await page.getByLabel('Choose photos').setInputFiles([...(await drawPhotos()).slice(0, 1), notes]);
        await page.locator('.uploads li.failed').waitFor();
        await page.locator('.uploads li.uploaded').waitFor();
      }
      await isFine(view);
    }
    // The session has ended in the meantime: the next request leads to signing in, saying why.
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Inspections' }).click();
    await page.getByText('The session has ended. Sign in again.').waitFor();
    await isFine('sign-in');
  });
});
