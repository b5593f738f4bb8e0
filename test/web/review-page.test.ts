import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope } from '../../src/contract/inspection.ts';
import { hasChromium, launchChromium } from '../helpers/chromium.ts';
import {
  NOW,
  prepareDemo,
  type RunningReview,
  startOnTerminal,
  startReview,
} from '../helpers/review-page.ts';
import { ROOT, runCli } from '../helpers/run-cli.ts';

const AXE = readFileSync(resolve(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

let dir: string;
let browser: Browser;
let inspection: InspectionEnvelope;
const running: RunningReview[] = [];
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vehi-web-'));
  inspection = await prepareDemo(dir);
  if (hasChromium) browser = await launchChromium();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  for (const one of running.splice(0)) {
    one.child.kill('SIGKILL');
    await one.ended;
  }
  rmSync(join(dir, 'result.review.json'), { force: true });
});
afterAll(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true, force: true });
});

async function review(...args: readonly string[]): Promise<RunningReview> {
  const one = await startReview(dir, ...args);
  running.push(one);
  return one;
}

/** What went wrong on a page: errors, refusals of the policy, requests to elsewhere. */
interface Watched {
  readonly page: Page;
  readonly faults: string[];
  readonly origins: Set<string>;
}

async function open(link: string, look: Parameters<Browser['newContext']>[0] = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 860 }, ...look });
  contexts.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (one) => origins.add(new URL(one.url()).origin));
  await page.goto(link);
  return { page, faults, origins };
}

const opened = (page: Page) => page.locator('.entry').first().waitFor();
const saved = (page: Page) => page.locator('.saving.saved').waitFor();
const currentKey = (page: Page) => page.locator('.entry[aria-current=true]').getAttribute('data-key');
const draft = () => JSON.parse(readFileSync(join(dir, 'result.review.json'), 'utf8'));

/** A plain request to the command, past the browser. */
function ask(
  link: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(link);
    const sent = request(
      { hostname, port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      },
    );
    sent.on('error', fail);
    sent.end(options.body);
  });
}
const JSON_BODY = { 'Content-Type': 'application/json' };
const tokenOf = (link: string) => new URL(link).hash.slice('#t='.length);
const exchange = (link: string, more: Record<string, string> = {}) =>
  ask(link, '/api/session', {
    method: 'POST',
    headers: { ...JSON_BODY, ...more },
    body: JSON.stringify({ token: tokenOf(link) }),
  });

describe('who may come in', () => {
  test('a token works once; without the session, from elsewhere or by odd paths there is nothing', async () => {
    const { link, shown } = await review();
    const foreign = { Host: 'evil.example' };
    expect((await exchange(link, foreign)).status).toBe(421);
    expect((await exchange(link, { Origin: 'http://evil.example' })).status).toBe(403);
    const session = await exchange(link);
    expect(session.status).toBe(200);
    const { secret, pictures } = JSON.parse(session.body) as { secret: string; pictures: string };
    expect((await exchange(link)).status).toBe(403);
    await shown(/a link that was used before was opened/);
    const statuses = await Promise.all(
      [
        '/api/review',
        `/p/${secret}/0/320.jpg`,
        `/p/${pictures}/0/321.jpg`,
        `/p/${pictures}/99/320.jpg`,
        `/x/${pictures}/../../etc/passwd`,
        '/../package.json',
        '/%2e%2e/%2e%2e/package.json',
        '/assets/..%2f..%2f..%2fpackage.json',
        '/assets/',
        '/index.html~',
      ].map(async (path) => (await ask(link, path)).status),
    );
    expect(statuses).toEqual([401, 404, 404, 404, 404, 404, 404, 404, 404, 404]);
    const known = { 'X-Vehi-Session': secret };
    expect((await ask(link, '/api/review', { headers: known })).status).toBe(200);
    expect((await ask(link, '/api/review', { headers: { ...known, Host: 'localhost:1' } })).status).toBe(200);
    const put = { method: 'PUT', headers: { ...known, 'Content-Type': 'text/plain' }, body: '{}' };
    expect((await ask(link, '/api/review', put)).status).toBe(422);
    const huge = { method: 'PUT', headers: { ...known, ...JSON_BODY }, body: 'x'.repeat(1_100_000) };
    expect(
      await ask(link, '/api/review', huge).then(
        ({ status }) => status,
        () => 422,
      ),
    ).toBe(422);
  });

  test('a fresh link ends the session before; every answer carries the policy', async () => {
    const one = await review();
    const first = JSON.parse((await exchange(one.link)).body) as { secret: string };
    one.child.stdin?.write('\n');
    const [, second = ''] = await one.shown(/Review at [\s\S]*Review at (\S+)/);
    expect((await exchange(second)).status).toBe(200);
    const streamed = await ask(second, '/api/events');
    expect(streamed.status).toBe(401);
    const late = await ask(one.link, '/api/review', { headers: { 'X-Vehi-Session': first.secret } });
    expect(late.status).toBe(401);
    expect(late.headers['content-security-policy']).toContain("default-src 'none'");
    expect(late.headers['cache-control']).toBe('no-store');
    expect(late.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe.skipIf(!hasChromium)('the page in Chromium', () => {
  test('the demo car by keyboard alone: the file is that of the same decisions on the command line', async () => {
    const one = await review('--output', 'page.json', '--reviewer', 'Ada');
    const { page, faults, origins } = await open(one.link);
    await opened(page);
    let keys = 0;
    const press = async (key: string) => {
      keys++;
      await page.keyboard.press(key);
      await saved(page);
    };
    // The certain ones are right, those to check are looked at one by one.
    await press('Shift+A');
    const toCheck = inspection.data.results?.to_check.length ?? 0;
    for (let i = 0; i < toCheck; i++) {
      await press('u');
      await press(i === 0 ? 'a' : 'r');
    }
    // One is drawn in the photo in view: arrows and Enter.
    await press('d');
    await page.locator('.editor').waitFor();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight', 'Enter']) await press(key);
    await page.locator('.entry.added, dialog').first().waitFor();
    if (await page.locator('dialog').isVisible()) {
      await page.keyboard.type('roof');
      keys += 4;
      await press('Enter');
    }
    await page.locator('.entry.added').waitFor();
    await saved(page);
    // One is merged into the next.
    await page.locator('.entry').first().focus();
    const added = await page.locator('.entry.added').getAttribute('data-key');
    expect(await currentKey(page)).toBe(added);
    await press('m');
    await press('k');
    await press('m');
    await page.locator('.entry', { hasText: 'part of no.' }).waitFor();
    await press('Control+Enter');
    await page.locator('dialog').waitFor();
    await press('Enter');
    await page.getByText('Finished', { exact: true }).waitFor();
    expect(await one.ended).toBe(0);
    expect(keys).toBeLessThanOrEqual(45);
    expect(faults).toEqual([]);
    expect([...origins]).toEqual([new URL(one.link).origin]);
    writeFileSync(join(dir, 'decisions.json'), JSON.stringify(draft().decisions));
    const args = ['review', 'result.json', '--decisions', 'decisions.json', '-o', 'list.json'];
    const run = await runCli([...args, '--now', NOW, '--reviewer', 'Ada'], { cwd: dir });
    expect(run.stderr).toContain('written to list.json');
    expect(readFileSync(join(dir, 'page.json'), 'utf8')).toBe(readFileSync(join(dir, 'list.json'), 'utf8'));
    // A reviewed result is a result: reports take it.
    const report = await runCli(['report', 'page.json', '--format', 'csv'], { cwd: dir });
    expect(report.code).toBe(0);
  });

  test('inspect --review fills the page while the photos are analysed, then reviews there', async () => {
    const words = ['inspect', 'car', '--review', '--detailed', '--threads', '1', '--now', NOW];
    const one = await startOnTerminal(dir, ...words, '-o', 'filled.json');
    running.push(one);
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    await page.addInitScript(`
      globalThis.seen = new Set();
      new MutationObserver(() => {
        const line = document.querySelector('.waiting [role=status]');
        if (line) seen.add(line.textContent);
      }).observe(document, { subtree: true, childList: true, characterData: true });`);
    await page.goto(one.link);
    await page.locator('.waiting img').first().waitFor();
    // On a busy machine the models take their time.
    await page.locator('.entry').first().waitFor({ timeout: 100_000 });
    const seen = await page.evaluate<string[]>('[...seen]');
    const { images } = inspection.data;
    const between = seen.filter((line) => !/^(0|12) of/.test(line));
    expect(seen.every((line) => line.endsWith(`of ${images.length} photos analysed`))).toBe(true);
    expect(between.length).toBeGreaterThan(1);
    await page.keyboard.press('a');
    await saved(page);
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Finished', { exact: true }).waitFor();
    expect(await one.ended).toBe(0);
    const reviewed = JSON.parse(readFileSync(join(dir, 'filled.reviewed.json'), 'utf8'));
    expect(reviewed.review.decisions).toHaveLength(1);
  });

  test('a command that is killed loses nothing', async () => {
    const one = await review();
    const { page } = await open(one.link);
    await opened(page);
    const key = await currentKey(page);
    await page.keyboard.press('r');
    await page.waitForTimeout(300);
    one.child.kill('SIGKILL');
    await one.ended;
    const again = await review();
    expect(again.stderr()).toContain('going on with 1 decisions');
    const second = await open(again.link);
    await opened(second.page);
    await second.page.locator(`.entry.rejected[data-key="${key}"]`).waitFor();
  });

  test('undo to the start and redo to the end give the same decisions and the same price', async () => {
    const { link } = await review();
    const { page } = await open(link);
    await opened(page);
    const price = page.locator('.price');
    const start = await price.textContent();
    for (const key of ['a', 'r', '4', 'x', 'j', 't', '3']) await page.keyboard.press(key);
    await saved(page);
    const end = draft().decisions;
    const dear = await price.textContent();
    for (let i = 0; i < 5; i++) await page.keyboard.press('z');
    await expect.poll(() => draft().decisions).toEqual([]);
    await expect.poll(() => price.textContent()).toBe(start);
    for (let i = 0; i < 5; i++) await page.keyboard.press('Shift+Z');
    await expect.poll(() => draft().decisions).toEqual(end);
    await expect.poll(() => price.textContent()).toBe(dear);
  });

  test('the second of two tabs is told, and may take over', async () => {
    const { link } = await review();
    const { page } = await open(link);
    await opened(page);
    const secret = await page.evaluate<string>("sessionStorage.getItem('vehi-review-session')");
    const twin = await page.context().newPage();
    await twin.goto(new URL('/', link).href);
    await twin.evaluate(`sessionStorage.setItem('vehi-review-session', ${JSON.stringify(secret)})`);
    await twin.reload();
    await opened(twin);
    await page.keyboard.press('a');
    await saved(page);
    await expect.poll(() => draft().decisions.length).toBe(1);
    await twin.getByText('Changed elsewhere').waitFor();
    await twin.keyboard.press('r');
    expect(draft().decisions[0].decision).toBe('accept');
    await twin.getByRole('button', { name: 'Take over' }).click();
    await twin.locator('.entry.accepted').first().waitFor();
  });

  test('a photo that is missing, or has changed, is said on the page; the review goes on', async () => {
    const [first, second] = inspection.data.images;
    if (!first || !second) throw new Error('no photos');
    const path = join(dir, first.url);
    renameSync(path, `${path}.away`);
    const bytes = readFileSync(join(dir, second.url));
    writeFileSync(join(dir, second.url), Buffer.concat([bytes, Buffer.from('x')]));
    try {
      const { link } = await review();
      const { page } = await open(link);
      await opened(page);
      await page.locator(`[data-photo="${first.index}"]`).click();
      await page.getByText('was not found where it was inspected').waitFor();
      await page.locator(`[data-photo="${second.index}"]`).click();
      await page.getByText('has changed since the inspection').waitFor();
      await page.keyboard.press('u');
      await page.keyboard.press('a');
      await saved(page);
      expect(draft().decisions).toHaveLength(1);
    } finally {
      renameSync(`${path}.away`, path);
      writeFileSync(join(dir, second.url), bytes);
    }
  });

  test('through a forwarder on another port everything works', async () => {
    const { link } = await review();
    const { port } = new URL(link);
    const forwarder = createServer((client) => {
      const upstream = connect(Number(port), '127.0.0.1');
      client.pipe(upstream).pipe(client);
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
    });
    await new Promise<void>((done) => forwarder.listen(0, '127.0.0.1', done));
    const { port: other } = forwarder.address() as { port: number };
    const { page, faults } = await open(link.replace(`:${port}/`, `:${other}/`));
    await opened(page);
    await page.keyboard.press('a');
    await saved(page);
    expect(faults).toEqual([]);
    forwarder.close();
  });

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)('axe finds nothing in any view: %s', async (_, look) => {
    const { link } = await review();
    const { page } = await open(link, { ...look, bypassCSP: true });
    await opened(page);
    await page.evaluate(AXE);
    const violations = () =>
      page.evaluate<string[]>(
        "axe.run().then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html + ' ' + n.failureSummary)))",
      );
    expect(await violations()).toEqual([]);
    for (const key of ['?', 'l', 'g', 'e', 'Control+Enter']) {
      await page.keyboard.press(key);
      await page.locator('dialog').waitFor();
      expect(await violations()).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('d');
    await page.locator('.editor').waitFor();
    expect(await violations()).toEqual([]);
  });

  test('every key of the table has a control; exports are made', async () => {
    const { link } = await review();
    const { page } = await open(link);
    await opened(page);
    await page.keyboard.press('?');
    const { KEYS } = await import('../../src/web/review/keys.ts');
    for (const { words } of KEYS)
      expect(await page.locator('dialog').getByRole('button', { name: words, exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    for (const name of ['report.csv', 'report.json', 'corrections.coco.json', 'report.html', 'report.pdf']) {
      const downloading = page.waitForEvent('download');
      await page.locator(`[data-export="${name}"]`).click();
      const path = await (await downloading).path();
      expect(readFileSync(path).length).toBeGreaterThan(300);
    }
  });
});
