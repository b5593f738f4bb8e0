// @module-tag slow: PDFs are set and read again

import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../src/contract/result.ts';
import type { PageSize } from '../../../../src/domain/page-size.ts';
import { gatherPictures, NO_PICTURES, type PictureSource } from '../../../../src/report/pictures.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';
import { failed, type Page, print, readDrawing, readPdf, render } from '../../../helpers/reports/read-pdf.ts';
import { paintedOnce } from '../../../helpers/reports/report-pictures.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { type ExampleShape, exampleInspection } from '../../../helpers/results/example-inspection.ts';

const inspected = (shape: ExampleShape): Result => ({
  inspection: exampleInspection(shape),
  assessment: null,
});
const priced = ({ inspection }: Result): Result => ({
  inspection,
  assessment: inspection && exampleAssessment(inspection),
});

/** A filed report with an assessment: the most that the first page has to hold. */
function fullFirstPage(): Result {
  const { data, ...rest } = exampleInspection({ damages: 6, photos: 6, toCheck: 6 });
  const file = { claim_number: 'C-4711', policy_number: 'P-99', loss_date: '2026-11-02', loss_kind: 'hail' };
  const claim = { ...file, insured: 'Jane Doe', inspector: 'A. Adjuster' };
  const vehicle = { vin: '1M8GDM9AXKP042789', vin_check_digit: 'wrong' as const, plate: 'AB-123' };
  return priced({ inspection: { ...rest, data: { ...data, claim, vehicle } }, assessment: null });
}

const many = inspected({
  damages: 24,
  photos: 8,
  vehicleId: `Флот «Северо-Запад» № 4711 Ωμέγα Łódź ${'x'.repeat(80)}`,
  photoUrl: (index) => `photos/${'довга_назва_'.repeat(12)}${index}.jpg`,
});

/** Damages without photos. */
const listed = (damages: readonly object[]): Result => ({
  inspection: null,
  assessment: assessed({ damages: damages.map((one, index) => ({ damage_id: `d${index}`, ...one })) }),
});

const INPUTS: readonly (readonly [string, Result, PageSize, PictureSource | null])[] = [
  ['no damage', inspected({ damages: 0, photos: 4, rich: false }), 'A4', paintedOnce],
  ['one damage, nothing optional', inspected({ damages: 1, photos: 1, rich: false }), 'Letter', paintedOnce],
  ['24 damages, long names, an assessment', priced(many), 'Letter', paintedOnce],
  ['yen, without pictures', inspected({ damages: 5, photos: 4, currency: 'JPY' }), 'A4', null],
  ['an assessment alone', { ...priced(inspected({ damages: 12, photos: 6 })), inspection: null }, 'A4', null],
  ['all that a first page may hold', fullFirstPage(), 'Letter', paintedOnce],
  ['a failed inspection', { inspection: failed, assessment: null }, 'A4', null],
];

describe('pdf layout', { timeout: 60_000 }, () => {
  it.each(INPUTS)(
    '%s: nothing outside the margins, no text over other text, the decision after the repair, on the first page if it has room',
    async (_, input, pageSize, source) => {
      const pictures = source ? await gatherPictures(input, source) : NO_PICTURES;
      const { pages } = await render(input, pageSize, pictures);
      for (const page of pages) {
        for (const piece of page.pieces) {
          expect(piece.left, piece.text).toBeGreaterThanOrEqual(43.9);
          expect(piece.right, piece.text).toBeLessThanOrEqual(page.width - 43.5);
          expect(piece.bottom, piece.text).toBeGreaterThanOrEqual(20);
          expect(piece.top, piece.text).toBeLessThanOrEqual(page.height - 20);
        }
        expect(overlaps(page)).toEqual([]);
      }
      const signed = pages.flatMap(({ text }, index) => (text.includes('Signature') ? [index] : []));
      expect(signed).toEqual([input.inspection === many.inspection ? 1 : 0]);
      expect(pages[signed[0] ?? 0]?.text).toMatch(/Decision .*Remarks Name Date Signature .*Page [12] of/);
    },
  );

  it('keeps a total of five figures on one line, next to the plan of a page without photos', async () => {
    const parts = ['front_bumper', 'hood', 'front_fender_left', 'front_door_left', 'roof'];
    const input = listed(parts.map((location) => ({ type: 'panel_damage', location, severity: 'critical' })));
    expect((await render(input)).pages[0]?.text).toMatch(/ total \$1\d,\d{3} /);
  });

  it('says on the first page what the repair costs, how bad the damage is and what is open', async () => {
    const input = inspected({ damages: 6, photos: 6, toCheck: 3 });
    const bytes = await print(input, 'Letter', await gatherPictures(input, paintedOnce));
    const { pages } = await readPdf(bytes);
    expect(pages[0]?.text).toMatch(
      /not reviewed Repair about \$.*Damage 6 on .*Check 3 places.* Cost .* total \$.* Most severe damage .* To check: .*\d\? .* parts seen/,
    );
    expect((await readDrawing(bytes))[0]?.images).toBe(4 + 3);
  });

  it('keeps words of the damage table and sizes with their unit whole', async () => {
    const measurements = { length: 31, unit: 'cm', uncertainty_cm: 3 };
    const two = [
      { type: 'dent', location: 'quarter_panel_right', severity: 'moderate', measurements },
      { type: 'glass_damage', location: 'windshield', severity: 'severe', measurements },
    ];
    const { pages } = await render(listed(Array(24).fill(two).flat()));
    const heading = 'No. Part Damage Severity Score Size Recommended repair';
    const pieces = pages
      .filter(({ text }) => text.includes(heading))
      .flatMap((page) => page.pieces.map(({ text }) => text.replaceAll('\u00A0', ' ')));
    expect(pieces).toEqual(
      expect.arrayContaining(['Quarter panel, right', 'Broken glass', 'Moderate', '~31 cm']),
    );
  });

  it('keeps what is said of a photo on the page of the photo', async () => {
    const input = inspected({ damages: 9, photos: 30 });
    const { pages } = await render(input, 'A4', await gatherPictures(input, paintedOnce));
    const noted = pages.filter(({ text }) => /Also in view|The photo is blurred/.test(text));
    expect(noted.length).toBeGreaterThan(1);
    for (const { pieces } of pages) {
      const [first] = pieces.filter((piece) => piece.bottom < 780);
      expect(first?.text).not.toMatch(/Also in view|The photo is blurred/);
    }
  });

  it('five photos with two finds each stand on a page', async () => {
    const input = inspected({ damages: 28, photos: 14, rich: false });
    const { pages } = await render(input, 'A4', await gatherPictures(input, paintedOnce));
    const counts = pages.map(({ text }) => text.match(/Photo \d+: /g)?.length ?? 0);
    const full = counts.filter((count) => count > 0).slice(1, -1);
    expect(new Set(full)).toEqual(new Set([5]));
  });

  it('photos without finds stand together', async () => {
    const input = inspected({ damages: 6, photos: 18, rich: false });
    const { pages } = await render(input, 'Letter', await gatherPictures(input, paintedOnce));
    expect(pages.find(({ text }) => text.includes('Photos without findings'))?.text).toContain('Photo 18: ');
  });

  it.each([
    ['4 photos, no damage', inspected({ damages: 0, photos: 4 })],
    ['32 photos, 3 damages, assessed', priced(inspected({ damages: 3, photos: 32 }))],
  ])('%s: no page but the last is half empty', async (_, input) => {
    const { pages } = await render(input, 'A4', NO_PICTURES);
    const footer = 45;
    const filled = pages.slice(0, -1).map(({ height, pieces }) => {
      const lowest = Math.min(...pieces.map(({ bottom }) => bottom).filter((bottom) => bottom > footer));
      return (height - footer - lowest) / (height - 2 * footer);
    });
    expect(pages.at(-1)?.text).toContain('SHA-256');
    expect(filled.filter((share) => share < 0.5)).toEqual([]);
  });
});

/** Pairs of text pieces whose inner boxes (the middle half of their height) cross. */
function overlaps({ pieces }: Page): string[] {
  const inner = pieces.map((piece) => {
    const margin = (piece.top - piece.bottom) * 0.25;
    return { ...piece, bottom: piece.bottom + margin, top: piece.top - margin };
  });
  return inner.flatMap((a, index) =>
    inner
      .slice(index + 1)
      .filter((b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.bottom < b.top && b.bottom < a.top)
      .map((b) => `${a.text} / ${b.text}`),
  );
}
