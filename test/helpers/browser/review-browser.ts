import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { Decision } from '../../../src/contract/review.ts';
import { ROOT } from '../cli/run-cli.ts';
import { waitUntilFilled } from '../readied-folder.ts';
import { makeOwnFolder } from '../temporary-folder.ts';
import { shareChromium } from './chromium.ts';
import { type RunningPage, startReview } from './review-page.ts';
import { type Look, usePages, VIEWPORT, type Watched } from './use-pages.ts';

/**
 * Reviews of the demo vehicle in a folder of their own, which ends with the file of tests, and a browser. They are readied
 * before the tests of a file; to be read within tests.
 */
export function useReviewBrowser() {
  let dir = '';
  let inspection: InspectionEnvelope | undefined;
  const running: RunningPage[] = [];
  let shared: { readonly page: Page; readonly end: () => Promise<void> } | undefined;
  beforeAll(async () => {
    await waitUntilFilled(inject('demoFolder'));
    dir = makeOwnFolder('web');
    cpSync(inject('demoFolder'), dir, { recursive: true });
    inspection = JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8'));
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.kill();
    rmSync(join(dir, 'result.review.json'), { force: true });
  });
  afterAll(() => shared?.end());
  // After the hook above: pages are closed before their commands.
  const openPage = usePages();
  function watch(one: RunningPage): RunningPage {
    running.push(one);
    return one;
  }
  async function share() {
    if (shared) return shared;
    const { link, kill } = await startReview(dir);
    const page = await (await shareChromium()).newPage({ viewport: VIEWPORT });
    shared = { page, end: () => page.context().close().then(kill) };
    await page.goto(link);
    await waitUntilOpen(page);
    return shared;
  }
  return {
    get dir() {
      return dir;
    },
    get inspection() {
      if (!inspection) throw new Error('read within a test');
      return inspection;
    },
    /** Starts `vehi review result.json`; it is killed after the test. */
    review: async (...args: readonly string[]) => watch(await startReview(dir, ...args)),
    /** Returns a review that was started otherwise; it is killed after the test. */
    watch,
    /** A page of a review that tests of a file share, with these decisions; one of its own for a look of its own. */
    async sharedPage(look?: Look, decisions: readonly Decision[] = []): Promise<Page> {
      const { page } = await share();
      const session = await resetSession(page, decisions);
      if (look) {
        const { page: own } = await openPage(look);
        await openInSession(own, session);
        return own;
      }
      await page.setViewportSize(VIEWPORT);
      await page.reload();
      await waitUntilOpen(page);
      return page;
    },
    newPage: async (look?: Look): Promise<Page> => (await openPage(look)).page,
    /** Opens a review in a page of its own. */
    async open(link: string, look?: Look): Promise<Watched> {
      const opened = await openPage(look);
      await opened.page.goto(link);
      await waitUntilOpen(opened.page);
      return opened;
    },
    /** The draft as it is on the disk. */
    draft: (): { readonly decisions: readonly Decision[] } =>
      JSON.parse(readFileSync(join(dir, 'result.review.json'), 'utf8')),
  };
}

export const waitUntilOpen = (page: Page) => page.locator('.entry').first().waitFor();
export const waitUntilSaved = (page: Page) => page.locator('.saving.saved').waitFor();
export const readCurrentKey = (page: Page) =>
  page.locator('.entry[aria-current=true]').getAttribute('data-key');

const AXE = readFileSync(resolve(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What axe finds against the page as it is; the page must have been opened with `bypassCSP`. */
export async function findViolations(page: Page, only?: 'color-contrast'): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(only ? { runOnly: [only] } : {})}).then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ': ' + n.html + ' ' + n.failureSummary)))`,
  );
}

/** Colors that a page may be shown in; no rule of axe but that of contrast depends on them. */
const COLORS = [
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;

/** Expects that axe finds nothing against a view: by all its rules in light colors, by that of contrast in the others. */
export async function expectAccessible(page: Page, view: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  expect([view, await findViolations(page)]).toEqual([view, []]);
  for (const colors of COLORS) {
    await page.emulateMedia(colors);
    expect([view, colors, await findViolations(page, 'color-contrast')]).toEqual([view, colors, []]);
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
}

/** Puts decisions, without a reviewer, in place of those of a page; returns what another page opens its session with. */
async function resetSession(page: Page, decisions: readonly Decision[]) {
  const stored = await page.evaluate<string>("sessionStorage.getItem('vehi-review-session')");
  const { secret, inspection_id: id } = JSON.parse(stored);
  const { origin } = new URL(page.url());
  const url = `${origin}/v1/inspections/visual/${id}/review`;
  const headers = { 'X-Vehi-Session': secret, 'Content-Type': 'application/json' };
  // What a page that was closed has sent may still change the review in between.
  await waitUntilSaved(page);
  const reset = async () => {
    const before = (await (await fetch(url, { headers })).json()) as { data: { revision: number } };
    const body = JSON.stringify({ revision: before.data.revision, reviewer: '', decisions });
    return (await fetch(url, { method: 'PUT', headers, body })).status;
  };
  await expect.poll(reset).toBe(200);
  return { origin, stored };
}

async function openInSession(page: Page, { origin, stored }: { origin: string; stored: string }) {
  await page.goto(`${origin}/app/`);
  await page.evaluate(`sessionStorage.setItem('vehi-review-session', ${JSON.stringify(stored)})`);
  await page.reload();
  await waitUntilOpen(page);
}
