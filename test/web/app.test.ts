import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inspectDemo, readDemoPhotos, signIn } from '../helpers/browser/app-page.ts';
import { hasChromium, shareChromium } from '../helpers/browser/chromium.ts';
import { expectAccessible, findViolations } from '../helpers/browser/review-browser.ts';
import { type Serving, startServe } from '../helpers/services/serve.ts';

let service: Serving;
let browser: Browser;
let vehicle: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  if (!hasChromium) return;
  service = await startServe(['--sandbox', '--ephemeral', '--allow-private-images']);
  browser = await shareChromium();
  vehicle = await inspectDemo(service.line);
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await service?.stop();
});

/** Photos of the demo vehicle that show damages and places to check. */
const SENT = ['front.jpg', 'left_side.jpg', 'right_side.jpg', 'rear_right.jpg'];
/** How many tables a view has. */
const TABLES: Record<string, number> = { inspections: 1, inspection: 1, keys: 1 };
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 390, height: 800 };
interface Watched {
  readonly page: Page;
  readonly faults: string[];
  readonly origins: Set<string>;
}

async function open(look: Parameters<Browser['newContext']>[0] = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: WIDE, ...look });
  contexts.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (one) => origins.add(new URL(one.url()).origin));
  await signIn(page, service.line.address, service.line.api_key);
  return { page, faults, origins };
}

describe.skipIf(!hasChromium)('/app in Chromium (skipped where /usr/bin/chromium is not installed)', () => {
  test('photos are sent, a bad one is named, the car is inspected, reviewed and exported', async () => {
    const { page, faults, origins } = await open();
    await page.getByRole('link', { name: 'New inspection' }).click();
    await page.getByLabel('Vehicle').fill('my car');
    const small = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const demo = readDemoPhotos().filter(({ name }) => SENT.includes(name));
    const cut = demo[0]?.buffer.subarray(0, 100_000) ?? small;
    const files = [
      ...demo,
      { name: 'small.jpg', mimeType: 'image/jpeg', buffer: small },
      { name: 'cut.jpg', mimeType: 'image/jpeg', buffer: cut },
    ];
    await page.getByLabel('Choose photos').setInputFiles(files);
    const bad = page.locator('.uploads li.failed');
    await bad.getByText('640x480').waitFor();
    await bad.getByText('cut-off JPEG').waitFor();
    expect(await bad.locator('.name').allTextContents()).toEqual(['small.jpg', 'cut.jpg']);
    await expect.poll(() => page.locator('.uploads li.uploaded').count()).toBe(SENT.length);
    expect(await page.getByLabel('Seen from, rear_right.jpg').inputValue()).toBe('rear_right');
    expect(await page.getByRole('button', { name: 'Inspect' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove small.jpg' }).click();
    await page.getByRole('button', { name: 'Remove cut.jpg' }).click();
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('heading', { name: 'my car' }).waitFor();
    const next = page.getByRole('region', { name: 'What to photograph next' });
    expect(await next.textContent({ timeout: 90_000 })).toMatch(
      /The (\d+ places|places?) to check from 0\.6/,
    );
    // One number and one sentence.
    await page.getByText(/; not reviewed\.$/).waitFor();
    expect(await page.locator('.headline').textContent()).toMatch(
      /^\$[\d,]+ to repair \d+ damages as one job \(\$[\d,]+–[\d,]+\): [a-z ]+[\d.]+\/10; \d+ places? to check, then \$[\d,]+(, and \w+ if real)?; not reviewed\.$/,
    );
    expect(await page.locator('.headline strong').count()).toBe(1);
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
    await page.locator('[data-finish]').click();
    await page.getByText('Finished', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Inspection' }).click();
    await page.getByText(/; reviewed by Ada\.$/).waitFor();
    expect(reviewed).toMatch(new RegExp(`^\\${await page.locator('.headline .price').textContent()} `));
    for (const format of ['json', 'csv', 'coco']) {
      const downloading = page.waitForEvent('download');
      await page.locator(`[data-export="${format}"]`).click();
      const bytes = readFileSync(await (await downloading).path());
      expect([format, bytes.length > 300]).toEqual([format, true]);
    }
    const headline = (await page.locator('.headline .price').textContent()) ?? '';
    await page.getByRole('link', { name: 'Inspections' }).click();
    await page.locator('.filters select').nth(1).selectOption('true');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('tbody tr').textContent()).toContain('my car');
    expect(await page.locator('tbody .price').textContent()).toBe(headline);
    expect([...origins]).toEqual([service.line.address]);
    // What the browser says of the photo that was refused.
    expect(faults.filter((one) => !one.includes('422'))).toEqual([]);
  }, 300_000);

  test('filters narrow the list', async () => {
    const { page } = await open();
    await page.getByLabel('Vehicle').fill('nobody');
    await page.getByLabel('Vehicle').press('Enter');
    await page.getByText('No inspection fits these filters.').waitFor();
    await page.getByLabel('Vehicle').fill('demo car');
    await page.getByLabel('Vehicle').press('Enter');
    await page.getByRole('link', { name: 'demo car' }).waitFor();
    await page.getByLabel('To').fill('2020-01-01');
    await page.getByText('No inspection fits these filters.').waitFor();
    expect(await page.getByRole('link', { name: 'demo car' }).count()).toBe(0);
  });

  test('a drawn box is placed on the car by the view that is kept', async () => {
    const { page } = await open();
    await page.goto(`${service.line.address}/app/#/inspections/${vehicle}/review`);
    await page.locator('.entry, .findings p').first().waitFor();
    await page.keyboard.press('d');
    await page.locator('.editor').waitFor();
    for (const key of ['ArrowLeft', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.locator('.entry.added, dialog').first().waitFor();
    if (await page.locator('dialog').isVisible()) {
      await page.keyboard.type('roof');
      await page.keyboard.press('Enter');
    }
    await page.locator('.entry.added').waitFor();
    await page.locator('.saving.saved').waitFor();
    expect(await page.locator('.entry.added').count()).toBe(1);
  });

  test('a key is made, shown once, works, and is gone once revoked; that ends its sessions', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'API keys' }).click();
    const form = page.getByRole('form', { name: 'New key' });
    await form.getByLabel('Name').fill('desk');
    await form.getByLabel('keys:manage').check();
    await form.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.once code').textContent()) ?? '';
    expect(key).toMatch(/^dev_/);
    const other = await browser.newContext();
    contexts.push(other);
    const second = await other.newPage();
    await signIn(second, service.line.address, key);
    await second.getByRole('link', { name: 'API keys' }).click();
    await second.getByText('signed in with').waitFor();
    expect(await second.locator('body').textContent()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke the key desk' }).click();
    await page.getByRole('button', { name: 'Revoke at once' }).click();
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
  });

  test('the photo with its boxes comes first; rows lead to their place and back', async () => {
    const { page } = await open();
    await page.goto(`${service.line.address}/app/#/inspections/${vehicle}`);
    await page.locator('.look svg image').waitFor();
    const place = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
    expect(await place('.look')).toBeLessThan(await place('.findings'));
    const numbers = (selector: string) => page.locator(selector).allTextContents();
    const rows = await numbers('.findings .number-of');
    expect(rows.length).toBeGreaterThan(3);
    const seen = new Set<string>();
    for (const number of rows) {
      await page.locator(`#finding-${number}`).click();
      // The box of the row before is there until the page has followed the click.
      await page.locator(`.look a.box.current[data-box="${number}"]`).first().waitFor();
      await expect.poll(() => numbers('.findings tr.current .number-of')).toEqual([number]);
      seen.add((await page.locator('.look svg').getAttribute('aria-label')) ?? '');
    }
    // Each on its own photo.
    expect(seen.size).toBeGreaterThan(1);
    // Back: a box focuses its row, and the address keeps it.
    const other = page.locator('.look a.box').first();
    const number = (await other.getAttribute('data-box')) ?? '';
    await other.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate<string>('document.activeElement.id')).toBe(`finding-${number}`);
    await page.reload();
    await page.locator(`.look a.box.current[data-box="${number}"]`).waitFor();
    await page.locator('.photos a').first().click();
    await expect.poll(() => page.locator('.look svg').getAttribute('aria-label')).toMatch(/^front\.jpg/);
  });

  test('damages and places to check stand in one table, its columns share edges', async () => {
    const { page } = await open();
    await page.goto(`${service.line.address}/app/#/inspections/${vehicle}`);
    await page.locator('.findings .group').nth(1).waitFor();
    for (const column of ['.number-of', '.what', '.part', '.severity', '.price', '.sure']) {
      const cells = page.locator(`.findings ${column}`);
      const countEdges = async () => {
        const edges = await cells.evaluateAll(
          (all: { getBoundingClientRect(): { left: number; right: number } }[]) =>
            all.map((cell) => [cell.getBoundingClientRect().left, cell.getBoundingClientRect().right].join()),
        );
        return [column, new Set(edges).size];
      };
      // Fonts and pictures may still come.
      await expect.poll(countEdges).toEqual([column, 1]);
    }
  });

  test('the sign-in page says what this is and where a key comes from', async () => {
    const page = await (await browser.newContext()).newPage();
    contexts.push(page.context());
    await page.goto(`${service.line.address}/app/`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const words = (await page.locator('main').textContent()) ?? '';
    expect(words).toMatch(/^vehi inspects photos of a vehicle/);
    expect(words).toContain('vehi admin keys create');
    expect(words).toContain('vehi serve --sandbox');
  });

  test('signing out and a wrong key are said; a page of another site changes nothing', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').fill('dev_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('not known');
    await signIn(page, service.line.address, service.line.api_key);
    const elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<form method="post" action="${service.line.address}/v1/keys" enctype="text/plain"><input name='{"name":"stolen"' value='}'></form><script>document.forms[0].submit()</script>`,
      );
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    const evil = await page.context().newPage();
    await evil.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    await evil.waitForURL(`${service.line.address}/v1/keys`);
    expect(await evil.locator('body').textContent()).toMatch(/MISSING_API_KEY|INSUFFICIENT_PERMISSIONS/);
    await page.goto(`${service.line.address}/app/#/keys`);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('body').textContent()).not.toContain('stolen');
    elsewhere.close();
  });

  test('axe finds nothing in any view, whatever the look', async () => {
    const { page } = await open({ bypassCSP: true });
    const isFine = async (view: string) => {
      for (const [width, size] of [
        ['narrow', NARROW],
        ['wide', WIDE],
      ] as const) {
        await page.setViewportSize(size);
        // Colours do not depend on the width.
        if (width === 'wide') await expectAccessible(page, view);
        else expect([view, width, await findViolations(page)]).toEqual([view, width, []]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect([view, width, wide]).toEqual([view, width, 0]);
        // Nothing of a table is behind a scroll: no price, no button.
        const hidden = await page.evaluate<number[]>(
          "[...document.querySelectorAll('.scroll')].filter((one) => one.checkVisibility()).map((one) => one.scrollWidth - one.clientWidth)",
        );
        expect([view, width, hidden]).toEqual([view, width, Array(TABLES[view] ?? 0).fill(0)]);
        const shots = process.env.VEHI_SHOTS;
        if (shots) await page.screenshot({ path: `${shots}/${view}-${width}.png`, fullPage: true });
      }
    };
    const views: readonly (readonly [view: string, hash: string, ready: string])[] = [
      ['inspections', '', 'tbody tr'],
      ['inspection', `inspections/${vehicle}`, '.look image'],
      ['review', `inspections/${vehicle}/review`, '.strip img'],
      ['new', 'new', '.drop'],
      ['keys', 'keys', 'tbody tr'],
    ];
    for (const [view, hash, ready] of views) {
      await page.setViewportSize(WIDE);
      await page.goto(`${service.line.address}/app/#/${hash}`);
      await page.locator(ready).first().waitFor();
      if (view === 'new') {
        await page
          .getByLabel('Choose photos')
          .setInputFiles([
            ...readDemoPhotos().slice(0, 3),
            { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') },
          ]);
        await page.locator('.uploads li.failed').waitFor();
        await expect.poll(() => page.locator('.uploads li.uploaded').count()).toBe(3);
        // What is done has no bar any more.
        expect(await page.locator('.uploads progress').count()).toBe(0);
      }
      await isFine(view);
    }
    // The session has ended in the meantime: the next request leads to signing in, saying why.
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Inspections' }).click();
    await page.getByLabel('API key').waitFor();
    await page.getByText('The session has ended. Sign in again.').waitFor();
    await isFine('sign-in');
  });
});
