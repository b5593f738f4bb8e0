import { resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../../helpers/browser/chromium.ts';
import { startService, type TestService } from '../helpers/service.ts';
import { listenOn } from '../helpers/sockets.ts';

const FIXTURES = resolve(import.meta.dirname, '../../../fixtures/vehicle');
const WAIT = { timeout: 60_000 };
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

describe.skipIf(!hasChromium)('/docs in Chromium (skipped where /usr/bin/chromium is not installed)', () => {
  const requests: string[] = [];
  const failed: string[] = [];
  const errors: string[] = [];
  let service: TestService;
  let address: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    service = await startService({ demoPhotos: FIXTURES });
    // The demo photos are real ones, which the fake checker does not know.
    service.backend.photos.check = async () => undefined;
    // Browsers treat localhost as safe; a name in the network shows what the page asks for without that.
    address = `http://vehi.test:${await listenOn(service)}`;
    browser = await launchChromium('--host-resolver-rules=MAP vehi.test 127.0.0.1, MAP * ~NOTFOUND');
    page = await browser.newPage({ viewport: { width: 1200, height: 1400 }, reducedMotion: 'reduce' });
    page.on('request', (request) => requests.push(request.url()));
    page.on('requestfailed', (request) => failed.push(request.url()));
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(`${address}/docs`, WAIT);
    await page.locator('.opblock').first().waitFor(WAIT);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Tries an operation that is open; returns the status that is shown. */
  async function press(operation: Locator): Promise<string> {
    await operation.locator('.try-out__btn').click(WAIT);
    await operation.locator('.execute').click(WAIT);
    return operation.locator('.live-responses-table tbody .response-col_status').first().innerText(WAIT);
  }

  it('shows every operation of the document', async () => {
    const shown = await page.$$eval('.opblock-summary', (rows) =>
      rows.map((row) =>
        ['method', 'path']
          .map((part) => row.querySelector(`.opblock-summary-${part}`)?.textContent)
          .join(' '),
      ),
    );
    const document = service.app.document().object as Record<
      'paths' | 'webhooks',
      Record<string, Record<string, unknown>>
    >;
    const declared = Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // The page lets long paths break after their slashes, with spaces of no width.
    expect(shown.map((row) => row.replaceAll('\u200b', '')).sort()).toEqual(declared.sort());
  });

  it('tries an operation with a key', async () => {
    await page.locator('.btn.authorize').first().click(WAIT);
    await page.locator('.auth-container input').first().fill(service.key, WAIT);
    await page.locator('.auth-btn-wrapper .authorize').first().click(WAIT);
    await page.locator('.btn-done').first().click(WAIT);
    const operation = page.locator('.opblock', { hasText: '/v1/auth/test' });
    await operation.locator('.opblock-summary-control').click(WAIT);
    expect(await press(operation)).toMatch(/^200/);
  }, 120_000);

  it('an inspection shows its fields, and succeeds at the first press', async () => {
    const operation = page.locator('#operations-inspections-createVisualInspection');
    await operation.locator('.opblock-summary-control').click(WAIT);
    const body = operation.locator('.opblock-section-request-body');
    expect(await body.locator('.body-param__example').innerText(WAIT)).toContain('vehicle_id');
    expect(await press(operation)).toMatch(/^201/);
  }, 120_000);

  it('asked no one else, and the browser refused and missed nothing', () => {
    expect(requests.filter((url) => !url.startsWith(`${address}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(failed).toEqual([]);
    expect(errors).toEqual([]);
  });
});
