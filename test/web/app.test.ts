import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addWebhookWithDelivery, inspectDemo, readDemoPhotos, signIn } from '../helpers/browser/app-page.ts';
import { hasChromium, launchChromium } from '../helpers/browser/chromium.ts';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { type Serving, startServe } from '../helpers/services/serve.ts';

const AXE = readFileSync(resolve(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');
const AXE_RUN =
  "axe.run().then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html + ' ' + n.failureSummary)))";

let service: Serving;
let browser: Browser;
let vehicle: string;
let webhook: string;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  if (!hasChromium) return;
  service = await startServe(['--sandbox', '--ephemeral', '--allow-private-images']);
  browser = await launchChromium();
  vehicle = await inspectDemo(service.line);
  webhook = await addWebhookWithDelivery(service.line);
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** How many tables a view has. */
const TABLES: Record<string, number> = { inspections: 1, inspection: 2, keys: 1, usage: 1, deliveries: 1 };
const NARROW = { width: 390, height: 800 };
const fileWords = (name: string) => name.replaceAll(' ', '-');

interface Watched {
  readonly page: Page;
  readonly faults: string[];
  readonly origins: Set<string>;
}

async function open(look: Parameters<Browser['newContext']>[0] = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...look });
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
    const demo = readDemoPhotos();
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
    await expect.poll(() => page.locator('.uploads li.there').count()).toBe(12);
    expect(await page.getByLabel('Seen from, rear_right.jpg').inputValue()).toBe('rear_right');
    expect(await page.getByRole('button', { name: 'Inspect' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove small.jpg' }).click();
    await page.getByRole('button', { name: 'Remove cut.jpg' }).click();
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('heading', { name: 'my car' }).waitFor();
    const next = page.getByRole('region', { name: 'What to photograph next' });
    expect(await next.textContent({ timeout: 90_000 })).toMatch(/the windshield, .* closer photo decides/);
    await page.getByText(/^\d+ places?, \+\$[\d,]+$/).waitFor();
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
    await page.getByText('reviewed by Ada').waitFor();
    expect(await page.locator('dd.price').textContent()).toBe(reviewed);
    for (const format of ['pdf', 'html', 'json', 'csv', 'coco']) {
      const downloading = page.waitForEvent('download');
      await page.locator(`[data-export="${format}"]`).click();
      const bytes = readFileSync(await (await downloading).path());
      expect([format, bytes.length > 300]).toEqual([format, true]);
    }
    await page.getByRole('link', { name: 'Inspections' }).click();
    await page.locator('.filters select').nth(1).selectOption('true');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('tbody tr').textContent()).toContain('my car');
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
    await page.getByRole('link', { name: 'Settings' }).click();
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
    await second.getByRole('link', { name: 'Settings' }).click();
    await second.getByText('signed in with').waitFor();
    expect(await second.locator('body').textContent()).not.toContain(key);
    await page.getByRole('button', { name: 'Revoke the key desk' }).click();
    await page.getByRole('button', { name: 'Revoke at once' }).click();
    await page.locator('tr', { hasText: 'desk' }).getByText('revoked').waitFor();
    await second.getByRole('link', { name: 'Inspections' }).click();
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await second.getByRole('alert').textContent()).toContain('revoked');
  });

  test('usage says what was inspected today', async () => {
    const { page } = await open();
    await page.goto(`${service.line.address}/app/#/settings/usage`);
    const today = new Date().toISOString().slice(0, 10);
    const row = page.locator('tbody tr', { hasText: today });
    await row.waitFor();
    await page.getByText('professional').waitFor();
    const [inspections, photos] = await row.locator('.amount').allTextContents();
    expect([Number(inspections) > 0, Number(photos) >= 4]).toEqual([true, true]);
  });

  test('a webhook is registered; what was sent to it is listed and sent again', async () => {
    const got: string[] = [];
    const receiver = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      got.push(text);
      response.end();
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    const { page, faults } = await open();
    await page.goto(`${service.line.address}/app/#/settings/webhooks`);
    await page.getByLabel('Address').fill(url);
    await page.getByRole('button', { name: 'Register' }).click();
    expect(await page.locator('.once code').textContent()).toMatch(/^whsec_/);
    await page.getByRole('article', { name: url }).getByRole('link', { name: 'Deliveries' }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a sample' }).click();
    await page.locator('tbody tr', { hasText: 'delivered' }).waitFor();
    expect(got).toHaveLength(1);
    await page.getByRole('button', { name: /^Send again: visual_inspection.completed of / }).click();
    await expect.poll(() => got.length).toBe(2);
    expect(got[1]).toBe(got[0]);
    expect(faults).toEqual([]);
    receiver.close();
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
    await page.goto(`${service.line.address}/app/#/settings/keys`);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('body').textContent()).not.toContain('stolen');
    elsewhere.close();
  });

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
    ['narrow', { colorScheme: 'light', viewport: NARROW }],
    ['narrow and dark', { colorScheme: 'dark', viewport: NARROW }],
  ] as const)('axe finds nothing in any view: %s', async (name, look) => {
    const { page } = await open({ ...look, bypassCSP: true });
    const shots = process.env.VEHI_SHOTS;
    const views: readonly (readonly [view: string, hash: string, ready: string])[] = [
      ['inspections', '', 'tbody tr'],
      ['inspection', `inspections/${vehicle}`, '.photos img'],
      ['review', `inspections/${vehicle}/review`, '.strip img'],
      ['new', 'new', '.drop'],
      ['keys', 'settings/keys', 'tbody tr'],
      ['usage', 'settings/usage', 'tbody tr'],
      ['webhooks', 'settings/webhooks', 'form.box'],
      ['deliveries', `settings/webhooks/${webhook}`, 'tbody tr'],
    ];
    for (const [view, hash, ready] of views) {
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
        await expect.poll(() => page.locator('.uploads li.there').count()).toBe(3);
      }
      await page.evaluate(AXE);
      expect([view, await page.evaluate<string[]>(AXE_RUN)]).toEqual([view, []]);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect([view, wide]).toEqual([view, 0]);
      // Nothing of a table is behind a scroll: no price, no button.
      const hidden = await page.evaluate<number[]>(
        "[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth)",
      );
      expect([view, hidden]).toEqual([view, Array(TABLES[view] ?? 0).fill(0)]);
      if (shots) await page.screenshot({ path: `${shots}/${view}-${fileWords(name)}.png`, fullPage: true });
    }
    // The session has ended in the meantime: the next request leads to signing in, saying why.
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('API key').waitFor();
    await page.getByText('The session has ended. Sign in again.').waitFor();
    await page.evaluate(AXE);
    expect(await page.evaluate<string[]>(AXE_RUN)).toEqual([]);
    if (shots) await page.screenshot({ path: `${shots}/sign-in-${fileWords(name)}.png` });
  });
});
