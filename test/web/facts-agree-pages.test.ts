import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InspectionEnvelope, VisualInspection } from '../../src/contract/inspection.ts';
import { DAMAGE_SUBTYPES, DAMAGE_TYPES, isPlaceToCheckId } from '../../src/domain/damage.ts';
import { formatMoney, formatRoundMoney, formatWholeMoney } from '../../src/report/figures.ts';
import { renderHtml } from '../../src/report/html/html-report.ts';
import { NO_PICTURES } from '../../src/report/pictures.ts';
import { listPartLines } from '../../src/report/repair-lines.ts';
import { describeDamage, describeFindingPart, humanize } from '../../src/report/words.ts';
import { signIn } from '../helpers/browser/app-page.ts';
import { hasChromium, shareChromium } from '../helpers/browser/chromium.ts';
import { VIEWPORT } from '../helpers/browser/use-pages.ts';
import { RESULTS } from '../helpers/results/seven-results.ts';
import { inspection } from '../helpers/results/stored-records.ts';
import { makeFakeBackend } from '../server/helpers/backend.ts';
import { startService, type TestService } from '../server/helpers/service.ts';

let service: TestService;
let address: string;
/** Signed in, for all results. */
let page: Page;

beforeAll(async () => {
  if (!hasChromium) return;
  const backend = makeFakeBackend();
  // Reports are the product's own; the fake backend stands for photos and models.
  const renderReview: typeof backend.artifacts.renderReview = async (_format, inspection, _views, options) =>
    renderHtml({ inspection, assessment: null }, NO_PICTURES, options);
  Object.assign(backend.artifacts, { renderReview });
  service = await startService({}, { backend });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  page = await (await shareChromium()).newPage({ viewport: VIEWPORT });
  await signIn(page, address, service.key);
});
afterAll(async () => {
  await page?.close();
  await service?.close();
});

/** Stores a result as an inspection of the service, its sums made by the engine; returns it as the API gives it. */
async function store(result: InspectionEnvelope, vehicleId: string): Promise<VisualInspection> {
  const { engine } = service.backend;
  // The service keeps a review apart from its inspection.
  const envelope = { status: result.status, data: result.data, meta: result.meta };
  const { data, meta } = result.data.results
    ? await engine.review(envelope, [], { now: new Date(), mapOf: async () => null })
    : envelope;
  const id = service.clock.newId('vis');
  const document = { ...data, inspection_id: id, vehicle_id: vehicleId };
  const { id: accountId } = service.account;
  const { status } = data;
  await service.store.inspections.create(inspection(id, { accountId, vehicleId, status, document, meta }));
  return (await service.call('GET', `/v1/inspections/visual/${id}`)).body.data;
}

/** What a person reads of an element, in one line. */
const readText = async (page: Pick<Page, 'locator'>, selector: string) =>
  ((await page.locator(selector).first().innerText()) ?? '').replace(/\s+/g, ' ').trim();

/** The rows of the list of findings: id, text and the heading above them. */
const READ_ROWS = `[...document.querySelectorAll('.entry')].map((one) => ({
  id: one.dataset.key,
  text: one.innerText.replace(/\\s+/g, ' '),
  heading: one.closest('div').querySelector('h2').innerText.split('\\n'),
}))`;

const MONEY = /[$€£¥]\s?\d/;
const CODES = [...DAMAGE_TYPES, ...DAMAGE_SUBTYPES].filter((code) => code.includes('_'));

/** Expects that a text names no code and no id. */
function expectPlain(surface: string, text: string): void {
  const plain = text.toLowerCase();
  expect([surface, CODES.filter((code) => plain.includes(code))]).toEqual([surface, []]);
  expect([surface, plain.match(/\b(dmg|chk)_\w+/g) ?? []]).toEqual([surface, []]);
}

describe.skipIf(!hasChromium)('facts of seven results on the pages against the JSON, in Chromium', () => {
  test.each(RESULTS)('%s', async (name, envelope) => {
    const found = await store(envelope, name);
    const { inspection_id: id, results } = found;
    const cost = results?.repair_cost;
    const isPriced = cost !== undefined && cost.items > 0;
    const estimate = isPriced ? formatRoundMoney(cost.estimated, cost.currency) : null;
    const grade =
      !results || results.grade_basis.code === 'too_little_seen'
        ? null
        : `${humanize(results.overall_condition)} ${results.condition_score.toFixed(1)}/10`;
    const findings = [...(results?.damages ?? []), ...(results?.to_check ?? [])];
    // A place to check says what it would cost.
    const hasMoney = findings.length > 0;

    await page.goto(`${address}/app/`);
    // The list.
    const row = page.locator('tr', { has: page.getByRole('link', { name, exact: true }) });
    const columns = ['td:nth-of-type(2)', '[data-column=Damages]', '.price', '.grade'];
    const cells = columns.map(async (column) => (await row.locator(column).innerText()).trim());
    const counted = results ? [String(results.damages.length), estimate ?? '–', grade ?? 'No grade'] : '–––';
    expect(await Promise.all(cells)).toEqual([found.status, ...counted]);

    // The inspection.
    await page.goto(`${address}/app/#/inspections/${id}`);
    if (!results) {
      await page.getByText(found.failure?.message ?? '?').waitFor();
      expect(await page.locator('.report').count()).toBe(0);
      await page.goto(`${address}/app/#/inspections/${id}/review`);
      await page.getByText('This page cannot review').waitFor();
      return;
    }
    // What it says is held against the JSON with the other forms of a report.
    await page.frameLocator('.report').locator('main').waitFor();

    // The review.
    await page.goto(`${address}/app/#/inspections/${id}/review`);
    await page.locator('.columns').waitFor();
    const header = await readText(page, 'header.top');
    expect(MONEY.test(header)).toBe(isPriced);
    if (isPriced)
      expect(header).toContain(`about ${estimate} up to ${formatRoundMoney(cost.max, cost.currency)}`);
    if (grade !== null) expect(header).toContain(grade);
    const count = results.damages.length;
    expect(header).toContain(`${count} damage${count === 1 ? '' : 's'}`);
    expect(await page.locator('.entry').count()).toBe(findings.length);
    const findPrices = (list: typeof findings) =>
      (results.repair_lines ?? [])
        .filter(
          ({ kind, damage_ids: ids }) =>
            kind === 'part' && list.some(({ damage_id }) => ids.includes(damage_id)),
        )
        .map((line) => formatWholeMoney(line.cost, line.currency));
    const shownRows =
      await page.evaluate<readonly { id: string; text: string; heading: string[] }[]>(READ_ROWS);
    for (const one of findings) {
      const { damage_id, number, type, subtype, severity, location } = one;
      const others = findings.filter(
        (other) => describeFindingPart(other.location) === describeFindingPart(location),
      );
      const row = shownRows.find(({ id }) => id === damage_id);
      expect(row?.heading).toEqual([describeFindingPart(location), ...findPrices(others)]);
      expect(row?.text).toMatch(new RegExp(`^${number} `));
      for (const words of [
        describeDamage(type, subtype, location.part),
        severity,
        `${Math.round(one.confidence * 100)} %`,
      ])
        expect(row?.text).toContain(words);
      expect(row?.text.includes('to check')).toBe(isPlaceToCheckId(damage_id));
    }
    // One damage and one place to check in the panel.
    for (const one of [results.damages.slice(0, 1), results.to_check.slice(0, 1)].flat()) {
      const { damage_id, number, type, subtype, severity, location } = one;
      const [price] = findPrices([one]);
      await page.locator(`.entry[data-key="${damage_id}"]`).click();
      const panel = await readText(page, '.panel .finding');
      expect(panel).toContain(`No. ${number}: ${describeDamage(type, subtype, location.part)}`);
      expect(MONEY.test(panel)).toBe(price !== undefined);
      if (price) expect(panel).toContain(`${price} for the part`);
      const pressed = page.locator('.panel .severity[aria-pressed=true]');
      expect(await pressed.getAttribute('data-command')).toBe(severity);
    }
    // The grounds of a finding are rules, folded away.
    await page.locator('.panel details').evaluateAll((all: { remove(): void }[]) => {
      for (const one of all) one.remove();
    });
    expectPlain('review', await readText(page, '#page'));
    await page.keyboard.press('o');
    const prices = page.locator('dialog [data-line]');
    const shown = await prices.evaluateAll((all: { placeholder: string }[]) =>
      all.map((one) => one.placeholder),
    );
    const lines = (results.repair_lines ?? []).filter(({ kind, part }) => kind === 'part' && part !== null);
    expect(shown).toEqual(lines.map((one) => formatMoney(one.cost, one.currency).replaceAll(/[^\d.]/g, '')));
    // The sizes are those of the panel and the reports.
    const repair = await readText(page, 'dialog');
    const data = { data: found } as InspectionEnvelope;
    for (const line of listPartLines({ inspection: data, assessment: null }))
      if (line.kind === 'part') expect(repair).toContain(line.words);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    const finish = await readText(page, 'dialog');
    expectPlain('finish', finish);
    expect(finish.includes(`about ${estimate}`)).toBe(isPriced);
    expect(MONEY.test(finish)).toBe(hasMoney);
  });

  test('the chip of a printed card is as large as its text', async () => {
    const options = { generatedAt: new Date(0), language: 'en' } as const;
    const printed = await (await shareChromium()).newPage();
    await printed.emulateMedia({ media: 'print' });
    await printed.setContent(
      renderHtml({ inspection: RESULTS[1]?.[1] ?? null, assessment: null }, NO_PICTURES, options),
    );
    const sizes = await printed.evaluate(
      "['h4', '.chip', 'ul'].map((one) => getComputedStyle(document.querySelector('.card ' + one)).fontSize)",
    );
    await printed.close();
    expect(new Set(sizes as string[]).size).toBe(1);
  });
});
