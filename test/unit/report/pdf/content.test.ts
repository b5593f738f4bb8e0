// @module-tag slow: PDFs are set and read again
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderPdf } from '../../../../src/report/pdf/pdf-report.ts';
import { gatherPictures, NO_PICTURES } from '../../../../src/report/pictures.ts';
import {
  generatedAt,
  print,
  readDrawing,
  readPdf,
  render,
  sixty,
  some,
} from '../../../helpers/reports/read-pdf.ts';
import { paintedOnce, paintPictures } from '../../../helpers/reports/report-pictures.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';

/** A font with Chinese characters that Debian installs with Ghostscript and with fonts-droid-fallback. */
const CJK_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

describe('a font of the reader', { timeout: 60_000 }, () => {
  const input = {
    inspection: exampleInspection({ damages: 2, photos: 2, vehicleId: '车队 上海-07 Złoty' }),
    assessment: null,
  };
  const withFont = (extraFont?: Uint8Array) =>
    renderPdf(input, NO_PICTURES, { pageSize: 'A4', generatedAt, extraFont });

  it.skipIf(!existsSync(CJK_FONT))(
    `shows and finds what the own fonts lack (skipped without ${CJK_FONT})`,
    async () => {
      const font = readFileSync(CJK_FONT);
      const bytes = await withFont(font);
      const { text } = await readPdf(bytes);
      expect(text.replaceAll(/\s/g, '')).toContain('车队上海-07Złoty');
      expect(text).not.toContain('□');
      expect(bytes.length).toBeLessThan((await withFont()).length + 100_000);
      expect(Buffer.from(await withFont(font)).equals(Buffer.from(bytes))).toBe(true);
    },
  );

  it('is refused where it is none', async () => {
    await expect(withFont(Buffer.from('no font at all'))).rejects.toMatchObject({
      kind: 'usage',
      code: 'FONT_UNUSABLE',
    });
  });
});

describe('pdf content', { timeout: 60_000 }, () => {
  it('says everything a claim file needs', async () => {
    const { text } = await render({
      inspection: some,
      assessment: exampleAssessment(some, { make: 'Škoda', model: 'Octavia', year: 2019 }),
    });
    for (const expected of [
      '2019 Škoda Octavia',
      'veh_fleet_4711',
      some.data.inspection_id,
      'asmt_',
      '2026-11-20 09:30 UTC',
      'US Midwest (US_MIDWEST), version 2026.2',
      'vehi-damage-s416 (damage) 0.1.0 fp32',
      'vehi 0.1.0',
      '12 on 10 parts',
      'Photos with findings',
      'Body, $115.00/h',
      'Several damages on one panel are one repair of that panel, counted once',
      'All panels are one repair: shared paint, set-up and visits, fees once',
      'Lines as seen, net (without tax)',
      'Lines of the estimate',
      'Rpr',
      'Repair options by damage',
      'Not chosen: A cheaper method also restores the part.',
      '8 working days',
      'Market value before',
      'Total loss',
      'Not assessed',
      'The underside was not photographed.',
      'blurred',
      'The photo is too small.',
      'Radiator support',
      'Method, limits and models',
      'a3a3a3',
    ])
      expect(text).toContain(expected);
  });

  it('lists every damage once, on its card', async () => {
    const { pages, text } = await render({
      inspection: exampleInspection({ damages: 3, photos: 3 }),
      assessment: null,
    });
    expect(pages[0]?.text).toContain('3 on 3 parts');
    expect(text).toMatch(/Photos with findings .* 1\. .* 2\. .* 3\. .* Without tax/);
    expect(text.match(/\b[123]\. (Rear door|Hood|Front bumper)/g)).toHaveLength(3);
  });

  it('writes Latin, Greek and Cyrillic names as searchable text, and marks what the font lacks', async () => {
    const { text } = await render({
      inspection: exampleInspection({ damages: 1, vehicleId: 'Łódź Ωμέγα Київ 車' }),
      assessment: null,
    });
    expect(text).toContain('Łódź Ωμέγα Київ □');
    expect(text).toContain('□ stands for a character');
  });

  it('shows the end of long file names, by which those of one series differ', async () => {
    const { text } = await render({ inspection: sixty, assessment: null });
    expect(text).toMatch(/Photo 13: довга_назва_[^ ]*…[^ ]*_12\.jpg/);
  });

  it('gives a damage the assessment’s repair and price wherever it stands', async () => {
    const assessment = exampleAssessment(some);
    const { text } = await render({ inspection: some, assessment });
    const [first] = some.data.results?.damages ?? [];
    const quick = first?.estimated_repair;
    const { estimated_cost: cost = 0 } = assessment.data.assessed_damages[0]?.recommended_repair ?? {};
    expect(text).toContain(`Lamp replacement $${Math.round(cost)}`);
    expect(text).not.toContain(`$${quick?.min.toFixed(2)} – $${quick?.max.toFixed(2)}`);
  });

  it('puts warnings under a heading of their own', async () => {
    const { text } = await render({ inspection: some, assessment: null });
    expect(text).toContain('Warnings Nobody photographed the rear of the vehicle.');
  });

  it('leaves control and direction characters out', async () => {
    const { text } = await render({
      inspection: exampleInspection({ damages: 1, vehicleId: 'a\u202Eb\u0007c\nd' }),
      assessment: null,
    });
    expect(text).toContain('abc d');
  });

  it('has the pictures of all photos and a close-up per damage, those of the worst on the first page too', async () => {
    const pictures = await gatherPictures({ inspection: some }, paintPictures());
    const pages = await readDrawing(await print({ inspection: some, assessment: null }, 'A4', pictures));
    expect(pages.reduce((sum, page) => sum + page.images, 0)).toBe(6 + 12 + 4);
  });

  it('says why a photo is not shown', async () => {
    const pictures = {
      ...NO_PICTURES,
      missing: new Map([[0, 'the file has changed since the inspection.']]),
    };
    const { text } = await render({ inspection: some, assessment: null }, 'A4', pictures);
    expect(text).toContain('Photo 1 is not shown: the file has changed since the inspection.');
  });
});

describe('pdf as a document', { timeout: 60_000 }, () => {
  it('is tagged, titled, in a language, with bookmarks', async () => {
    const bytes = await print({ inspection: some, assessment: exampleAssessment(some) });
    const { marked, info, outline } = await readPdf(bytes);
    const pages = await readDrawing(bytes);
    expect(marked?.Marked).toBe(true);
    expect(info.Title).toContain('veh_fleet_4711');
    expect(info.Language).toBe('en');
    expect(outline).toContain('Photos with findings');
    const roles = new Set(pages.flatMap((page) => page.tags));
    for (const role of ['Document', 'Sect', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD', 'Figure'])
      expect(roles).toContain(role);
    for (const page of pages) expect(page.tags.length).toBeGreaterThan(1);
  });

  it('is byte-identical for the same input and time, and dated by it', async () => {
    const make = async (at: Date) => {
      const input = { inspection: some, assessment: exampleAssessment(some) };
      return Buffer.from(
        await renderPdf(input, await gatherPictures(input, paintedOnce), { pageSize: 'A4', generatedAt: at }),
      );
    };
    const first = await make(generatedAt);
    expect(first.equals(await make(generatedAt))).toBe(true);
    expect(first.equals(await make(new Date(0)))).toBe(false);
    expect((await readPdf(first)).info.CreationDate).toBe('D:20261120100000Z');
  });
});
