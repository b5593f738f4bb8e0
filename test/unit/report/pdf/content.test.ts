// @module-tag slow: PDFs are set and read again
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderPdf } from '../../../../src/report/pdf/pdf-report.ts';
import { gatherPictures, NO_PICTURES } from '../../../../src/report/pictures.ts';
import { generatedAt, print, readDrawing, readPdf, render, some } from '../../../helpers/reports/read-pdf.ts';
import { paintedOnce } from '../../../helpers/reports/report-pictures.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

/** A font with Chinese characters that Debian installs with Ghostscript and with fonts-droid-fallback. */
const CJK_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

describe('a font of the reader', { timeout: 60_000 }, () => {
  const inspection = exampleInspection({ damages: 1, photos: 1, vehicleId: '车队 上海-07 Złoty' });
  const printWith = (extraFont: Uint8Array) =>
    renderPdf({ inspection, assessment: null }, NO_PICTURES, { pageSize: 'A4', generatedAt, extraFont });

  it.skipIf(!existsSync(CJK_FONT))(
    `shows and finds what the own fonts lack, as a subset (skipped without ${CJK_FONT})`,
    async () => {
      const bytes = await printWith(readFileSync(CJK_FONT));
      const { text } = await readPdf(bytes);
      expect(text.replaceAll(/\s/g, '')).toContain('车队上海-07Złoty');
      expect(text).not.toContain('□');
      expect(bytes.length).toBeLessThan(250_000);
      expect(Buffer.from(await printWith(readFileSync(CJK_FONT))).equals(bytes)).toBe(true);
    },
  );

  it('is refused where it is none', async () => {
    await expect(printWith(Buffer.from('no font at all'))).rejects.toMatchObject({
      kind: 'usage',
      code: 'FONT_UNUSABLE',
    });
  });
});

describe('a full report as PDF', { timeout: 60_000 }, async () => {
  const assessment = exampleAssessment(some, { make: 'Škoda', model: 'Octavia', year: 2019 });
  const input = { inspection: some, assessment };
  const pictures = await gatherPictures(input, paintedOnce);
  const bytes = await print(input, 'A4', pictures);
  const { text, marked, info, outline } = await readPdf(bytes);

  it('says everything a claim file needs', () => {
    const { estimated_cost: cost = 0 } = assessment.data.assessed_damages[0]?.recommended_repair ?? {};
    const wanted = [
      ...['2019 Škoda Octavia', 'veh_fleet_4711', some.data.inspection_id, 'asmt_', '2026-11-20 09:30 UTC'],
      ...['US Midwest (US_MIDWEST), version 2026.2', 'vehi-damage-s416 (damage) 0.1.0 fp32', 'vehi 0.1.0'],
      ...['12 on 10 parts', 'Photos with findings', `Lamp replacement $${Math.round(cost)}`],
      ...['Warnings Nobody photographed the rear of the vehicle.', 'The underside was not photographed.'],
      ...['Lines as seen, net', 'Body, $115.00/h', 'Repair options by damage', '8 working days'],
      ...['Not chosen: A cheaper method also restores the part.', 'Market value before', 'Total loss'],
      ...['The photo is too small.', 'Radiator support', 'Method, limits and models', 'a3a3a3'],
    ];
    expect(wanted.filter((one) => !text.includes(one))).toEqual([]);
  });

  it('is tagged, titled, in a language, with bookmarks and dates', async () => {
    expect(marked?.Marked).toBe(true);
    expect(info).toMatchObject({ Language: 'en', CreationDate: 'D:20261120100000Z' });
    expect(info.Title).toContain('veh_fleet_4711');
    expect(outline).toContain('Photos with findings');
    const pages = await readDrawing(bytes);
    const roles = pages.flatMap(({ tags }) => tags);
    expect(roles).toEqual(
      expect.arrayContaining(['Document', 'Sect', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure']),
    );
    expect(pages.filter(({ tags }) => tags.length < 2)).toEqual([]);
    // Each photo, a close-up per damage, and those of the worst on the first page.
    expect(pages.reduce((sum, { images }) => sum + images, 0)).toBe(6 + 12 + 4);
  });

  it('is byte-identical for the same input and time', async () => {
    expect(Buffer.from(await print(input, 'A4', pictures)).equals(Buffer.from(bytes))).toBe(true);
  });
});

it('a small report names odd things as far as its font can, and each damage once, on its card', async () => {
  const inspection = exampleInspection({
    damages: 3,
    photos: 3,
    vehicleId: 'Łódź Ωμέγα Київ 車 a\u202Eb\u0007c\nd',
    photoUrl: (index) => `photos/${'довга_назва_'.repeat(12)}${index}.jpg`,
  });
  const missing = new Map([[0, 'the file has changed since the inspection.']]);
  const { text } = await render({ inspection, assessment: null }, 'A4', { ...NO_PICTURES, missing });
  expect(text).toContain('Łódź Ωμέγα Київ □ abc d');
  expect(text).toContain('□ stands for a character');
  // Names of one series differ at their end.
  expect(text).toMatch(/Photo 2: довга_назва_[^ ]*…[^ ]*_1\.jpg/);
  expect(text).toContain('Photo 1 is not shown: the file has changed since the inspection.');
  expect(text).toMatch(/3 on 3 parts .*Photos with findings .* 1\. .* 2\. .* 3\. .* Without tax/);
  expect(text.match(/\b[123]\. (Rear door|Hood|Front bumper)/g)).toHaveLength(3);
}, 60_000);
