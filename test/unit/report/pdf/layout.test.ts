// @module-tag slow: PDFs are set and read again

import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../src/contract/result.ts';
import type { PageSize } from '../../../../src/domain/page-size.ts';
import { gatherPictures, NO_PICTURES } from '../../../../src/report/pictures.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import {
  failed,
  type Page,
  print,
  readDrawing,
  readPdf,
  render,
  sixty,
  some,
} from '../../../helpers/reports/read-pdf.ts';
import { paintedOnce } from '../../../helpers/reports/report-pictures.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';

/** A filed report with an assessment: the most that the first page has to hold. */
function fullFirstPage(): Result {
  const { data, ...rest } = exampleInspection({ damages: 6, photos: 6, toCheck: 6 });
  const inspection = {
    ...rest,
    data: {
      ...data,
      claim: {
        claim_number: 'C-4711',
        policy_number: 'P-99',
        insured: 'Jane Doe',
        loss_date: '2026-11-02',
        loss_kind: 'collision',
        inspector: 'A. Adjuster',
      },
      vehicle: { vin: '1M8GDM9AXKP042789', vin_check_digit: 'wrong' as const, plate: 'AB-123' },
    },
  };
  return { inspection, assessment: exampleAssessment(inspection) };
}

const DAMAGE_COLUMNS = 'No. Part Damage Severity Score Size Recommended repair';

/** Eighty damages of which there are no photos, so that a table lists them. */
const listed: Result = {
  inspection: null,
  assessment: assessed({
    damages: Array.from({ length: 80 }, (_, index) => ({
      damage_id: `d${index}`,
      ...(index % 2 === 0
        ? { type: 'dent', location: 'quarter_panel_right', severity: 'moderate' }
        : { type: 'glass_damage', location: 'windshield', severity: 'severe' }),
      measurements: { length: 31, unit: 'cm', uncertainty_cm: 3 },
    })),
  }),
};

const INPUTS: readonly (readonly [string, Result, PageSize])[] = [
  [
    'no damage',
    { inspection: exampleInspection({ damages: 0, photos: 4, rich: false }), assessment: null },
    'A4',
  ],
  [
    'one damage, one photo, nothing optional',
    { inspection: exampleInspection({ damages: 1, photos: 1, rich: false }), assessment: null },
    'Letter',
  ],
  ['twelve damages with an assessment', { inspection: some, assessment: exampleAssessment(some) }, 'A4'],
  [
    'sixty damages, thirty photos, long names',
    { inspection: sixty, assessment: exampleAssessment(sixty) },
    'Letter',
  ],
  [
    'yen',
    { inspection: exampleInspection({ damages: 5, photos: 4, currency: 'JPY' }), assessment: null },
    'A4',
  ],
  ['an assessment alone', { inspection: null, assessment: exampleAssessment(some) }, 'A4'],
  ['all that a first page may hold', fullFirstPage(), 'Letter'],
  ['a failed inspection', { inspection: failed, assessment: null }, 'A4'],
];

describe('pdf layout', { timeout: 60_000 }, () => {
  const expectReadable = (pages: readonly Page[]) => {
    for (const page of pages) {
      for (const piece of page.pieces) {
        expect(piece.left, piece.text).toBeGreaterThanOrEqual(43.9);
        expect(piece.right, piece.text).toBeLessThanOrEqual(page.width - 43.5);
        expect(piece.bottom, piece.text).toBeGreaterThanOrEqual(20);
        expect(piece.top, piece.text).toBeLessThanOrEqual(page.height - 20);
      }
      expect(overlaps(page)).toEqual([]);
    }
  };

  it.each(INPUTS)(
    '%s: nothing outside the margins, no text over other text, the decision after the repair, on the first page if it has room',
    async (_, input, pageSize) => {
      const pictures = await gatherPictures(input, paintedOnce);
      const { pages } = await render(input, pageSize, pictures);
      expectReadable(pages);
      const signed = pages.flatMap(({ text }, index) => (text.includes('Signature') ? [index] : []));
      expect(signed).toEqual([input.inspection === sixty ? 1 : 0]);
      expect(pages[signed[0] ?? 0]?.text).toMatch(/Decision .*Remarks Name Date Signature .*Page [12] of/);
    },
  );

  it('without pictures has nothing outside the margins, no text over other text', async () => {
    expectReadable((await render({ inspection: sixty, assessment: null })).pages);
  });

  it('keeps a total of five figures on one line, next to the plan of a page without photos', async () => {
    const damages = ['front_bumper', 'hood', 'front_fender_left', 'front_door_left', 'roof'].map(
      (location) => ({
        damage_id: location,
        type: 'panel_damage',
        location,
        severity: 'critical',
      }),
    );
    const { pages } = await render(
      { inspection: null, assessment: assessed({ damages }) },
      'A4',
      NO_PICTURES,
    );
    expect(pages[0]?.text).toMatch(/ total \$1\d,\d{3} /);
  });

  it('says on the first page what the repair costs, how bad the damage is and what is open', async () => {
    const input = {
      inspection: exampleInspection({ damages: 6, photos: 6, toCheck: 3 }),
      assessment: null,
    };
    const bytes = await print(input, 'Letter', await gatherPictures(input, paintedOnce));
    const { pages } = await readPdf(bytes);
    expect(pages[0]?.text).toMatch(
      /not reviewed Repair about \$.*Damage 6 on .*Check 3 places.* Cost .* total \$.* Most severe damage .* To check: .*\d\? .* parts seen/,
    );
    expect((await readDrawing(bytes))[0]?.images).toBe(4 + 3);
  });

  it('gives no price of several vehicles together', async () => {
    const inspection = divide(exampleInspection({ damages: 6, photos: 6, toCheck: 6 }));
    const { pages } = await render({ inspection, assessment: null }, 'Letter');
    expect(pages[0]?.text).toContain('2 vehicles in these photos, each with its own grade and price');
    expect(pages[0]?.text).not.toContain('Repair about');
  });

  it('says who reviewed the result', async () => {
    const { inspection, ...input } = { inspection: exampleInspection({ damages: 2 }), assessment: null };
    const review = {
      reviewer: 'Jane Doe',
      reviewed_at: '2026-11-20T09:45:00Z',
      decisions: [],
      photos_checked: [],
      not_reviewed: [],
    };
    const { pages } = await render({ ...input, inspection: { ...inspection, review } as typeof inspection });
    expect(pages[0]?.text).toContain('reviewed by Jane Doe 2026-11-20 09:45 UTC');
  });

  it.each(['A4', 'Letter'] as const)(
    '%s: words of the damage table and sizes with their unit stay whole; each of its pages repeats its heading',
    async (pageSize) => {
      const { pages } = await render(listed, pageSize);
      const pieces = pages.flatMap((page) => page.pieces.map((piece) => piece.text));
      const first = pages.findIndex((page) => page.text.includes(DAMAGE_COLUMNS));
      const withRows = pages.slice(
        first,
        pages.findIndex((page) => page.text.includes('From single repairs')),
      );
      expect(withRows.length).toBeGreaterThan(1);
      for (const page of withRows) expect(page.text).toContain(DAMAGE_COLUMNS);
      for (const whole of ['Quarter panel, right', 'Broken glass', 'Moderate', '~31\u00A0cm'])
        expect(pieces.map((piece) => piece.replaceAll('\u00A0', ' '))).toContain(
          whole.replaceAll('\u00A0', ' '),
        );
    },
  );

  it('keeps what is said of a photo on the page of the photo', async () => {
    const input = { inspection: exampleInspection({ damages: 9, photos: 50 }), assessment: null };
    const { pages } = await render(input, 'A4', await gatherPictures(input, paintedOnce));
    const noted = pages.filter(({ text }) => /Also in view|The photo is blurred/.test(text));
    expect(noted.length).toBeGreaterThan(1);
    for (const { pieces } of pages) {
      const [first] = pieces.filter((piece) => piece.bottom < 780);
      expect(first?.text).not.toMatch(/Also in view|The photo is blurred/);
    }
  });

  it.each([
    [1, 24, 5],
    [2, 24, 5],
  ])('%i finds a photo: %i photos stand %i on a page', async (finds, photos, wanted) => {
    const input = {
      inspection: exampleInspection({ damages: finds * photos, photos, rich: false }),
      assessment: null,
    };
    const { pages } = await render(input, 'A4', await gatherPictures(input, paintedOnce));
    const counts = pages.map(({ text }) => [...text.matchAll(/Photo \d+: /g)].length);
    const full = counts.filter((count) => count > 0).slice(1, -1);
    expect(new Set(full)).toEqual(new Set([wanted]));
  });

  it.each([
    [3, 10],
    [6, 18],
  ])('%i damages, %i photos: those without finds stand together', async (damages, photos) => {
    const input = { inspection: exampleInspection({ damages, photos, rich: false }), assessment: null };
    const { pages } = await render(input, 'Letter', await gatherPictures(input, paintedOnce));
    const begun = pages.find(({ text }) => text.includes('Photos without findings'));
    expect(begun?.text).toContain(`Photo ${photos}: `);
  });

  it.each([
    [4, 0, false],
    [13, 9, true],
    [32, 3, true],
  ])(
    '%i photos, %i damages, assessed: %s: no page but the last is half empty',
    async (photos, damages, assess) => {
      const inspection = exampleInspection({ damages, photos });
      const assessment = assess ? exampleAssessment(inspection) : null;
      const { pages } = await render({ inspection, assessment });
      const footer = 45;
      const filled = pages.slice(0, -1).map(({ height, pieces }) => {
        const lowest = Math.min(...pieces.map(({ bottom }) => bottom).filter((bottom) => bottom > footer));
        return (height - footer - lowest) / (height - 2 * footer);
      });
      expect(pages.at(-1)?.text).toContain('SHA-256');
      expect(filled.filter((share) => share < 0.5)).toEqual([]);
    },
  );
});

/** Pairs of text pieces whose inner boxes (the middle half of their height) cross. */
function overlaps({ pieces }: Page): string[] {
  const inner = pieces.map((piece) => ({
    ...piece,
    bottom: piece.bottom + (piece.top - piece.bottom) * 0.25,
    top: piece.top - (piece.top - piece.bottom) * 0.25,
  }));
  return inner.flatMap((a, index) =>
    inner
      .slice(index + 1)
      .filter((b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.bottom < b.top && b.bottom < a.top)
      .map((b) => `${a.text} / ${b.text}`),
  );
}
