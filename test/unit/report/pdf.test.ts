import { existsSync, readFileSync } from 'node:fs';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import type { ReportInput } from '../../../src/report/input.ts';
import { renderPdf } from '../../../src/report/pdf/document.ts';
import type { PageSize } from '../../../src/report/pdf/theme.ts';
import { gatherPictures, NO_PICTURES, type ReportPictures } from '../../../src/report/pictures.ts';
import { exampleAssessment } from '../../helpers/example-assessment.ts';
import { exampleInspection } from '../../helpers/example-inspection.ts';
import { paintedPictures } from '../../helpers/report-pictures.ts';

const generatedAt = new Date('2026-11-20T10:00:00Z');
const LONG_NAME = `Флот «Северо-Запад» № 4711 Ωμέγα Łódź ${'x'.repeat(80)}`;

interface Page {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** Left, right, bottom, top of every piece of text, points. */
  readonly pieces: readonly {
    readonly text: string;
    readonly left: number;
    readonly right: number;
    readonly bottom: number;
    readonly top: number;
  }[];
  readonly images: number;
  readonly tags: readonly string[];
}

async function readPdf(bytes: Uint8Array) {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false })
    .promise;
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const content = await page.getTextContent();
    const pieces = content.items.flatMap((item) =>
      'str' in item && item.str.trim() !== ''
        ? [
            {
              text: item.str,
              left: item.transform[4],
              right: item.transform[4] + item.width,
              bottom: item.transform[5],
              top: item.transform[5] + item.height,
            },
          ]
        : [],
    );
    const { fnArray } = await page.getOperatorList();
    const tree = await page.getStructTree();
    pages.push({
      text: pieces.map((piece) => piece.text).join(' '),
      width,
      height,
      pieces,
      images: fnArray.filter((op) => op === OPS.paintImageXObject).length,
      tags: tree ? rolesOf(tree as StructNode) : [],
    });
  }
  const { info } = await document.getMetadata();
  const marked = await document.getMarkInfo();
  const outline = (await document.getOutline())?.map((item) => item.title) ?? [];
  await document.destroy();
  return {
    pages,
    info: info as Record<string, unknown>,
    marked,
    outline,
    text: pages.map((page) => page.text).join(' '),
  };
}

interface StructNode {
  readonly role?: string;
  readonly children?: readonly StructNode[];
}

function rolesOf(node: StructNode): string[] {
  return [...(node.role ? [node.role] : []), ...(node.children ?? []).flatMap(rolesOf)];
}

async function render(input: ReportInput, pageSize: PageSize = 'A4', pictures: ReportPictures = NO_PICTURES) {
  return readPdf(await renderPdf(input, pictures, { pageSize, generatedAt }));
}

const some = exampleInspection({ damages: 12, photos: 6 });
const hundred = exampleInspection({
  damages: 100,
  photos: 50,
  vehicleId: LONG_NAME,
  photoUrl: (index) => `photos/${'довга_назва_'.repeat(12)}${index}.jpg`,
});
const failed = {
  ...some,
  data: {
    ...some.data,
    results: null,
    status: 'failed' as const,
    failure: { code: 'X', message: 'The model could not run.' },
  },
};
const INPUTS: readonly (readonly [string, ReportInput, PageSize])[] = [
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
    'a hundred damages, fifty photos, long names',
    { inspection: hundred, assessment: exampleAssessment(hundred) },
    'Letter',
  ],
  [
    'yen',
    { inspection: exampleInspection({ damages: 5, photos: 4, currency: 'JPY' }), assessment: null },
    'A4',
  ],
  ['an assessment alone', { inspection: null, assessment: exampleAssessment(some) }, 'A4'],
  ['a failed inspection', { inspection: failed, assessment: null }, 'A4'],
];

describe('pdf layout', { timeout: 60_000 }, () => {
  it.each(INPUTS)('%s: nothing outside the margins, no text over other text', async (_, input, pageSize) => {
    const { pages } = await render(input, pageSize);
    for (const page of pages) {
      for (const piece of page.pieces) {
        expect(piece.left, piece.text).toBeGreaterThanOrEqual(43.9);
        expect(piece.right, piece.text).toBeLessThanOrEqual(page.width - 43.5);
        expect(piece.bottom, piece.text).toBeGreaterThanOrEqual(20);
        expect(piece.top, piece.text).toBeLessThanOrEqual(page.height - 20);
      }
      expect(overlaps(page)).toEqual([]);
    }
  });

  it.each(['A4', 'Letter'] as const)(
    '%s: words of the damage table and sizes with their unit stay whole',
    async (pageSize) => {
      const { pages } = await render({ inspection: hundred, assessment: null }, pageSize);
      const pieces = pages.flatMap((page) => page.pieces.map((piece) => piece.text));
      expect(pages[1]?.text).toContain('No. Part Damage Severity Score Size Sure Photos Repair, range');
      for (const whole of [
        'Quarter panel, right',
        'Paint damage',
        'Moderate',
        '31.2\u00A0×\u00A01.8 ±3.1\u00A0cm',
      ])
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

  it('numbers its pages', async () => {
    const { pages } = await render({ inspection: some, assessment: exampleAssessment(some) });
    pages.forEach((page, index) => {
      expect(page.text).toContain(`Page ${index + 1} of ${pages.length}`);
    });
  });

  it('repeats the heading of a table on every page it reaches', async () => {
    const { pages } = await render({ inspection: hundred, assessment: null });
    const last = pages.findIndex((page) => page.text.includes('What to photograph next'));
    const withRows = pages.slice(1, last);
    expect(withRows.length).toBeGreaterThan(2);
    for (const page of withRows)
      expect(page.text).toContain('No. Part Damage Severity Score Size Sure Photos Repair, range');
  });
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

/** A font with Chinese characters that Debian installs with Ghostscript and with fonts-droid-fallback. */
const CJK_FONT = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';

describe('a font of the reader', { timeout: 60_000 }, () => {
  const input = {
    inspection: exampleInspection({ damages: 2, photos: 2, vehicleId: '车队 上海-07 Złoty' }),
    assessment: null,
  };
  const withFont = (extraFont?: Uint8Array) =>
    renderPdf(input, NO_PICTURES, { pageSize: 'A4', generatedAt, extraFont });

  it('is not needed: characters without a glyph are a box, and the report says so', async () => {
    const { text } = await readPdf(await withFont());
    expect(text).toContain('□□ □□-07 Złoty');
    expect(text).toContain('□ stands for a character');
  });

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
      assessment: exampleAssessment(some, {
        make: 'Škoda',
        model: 'Octavia',
        year: 2019,
        class_used: 'standard',
      }),
    });
    for (const expected of [
      '2019 Škoda Octavia',
      'veh_fleet_4711',
      some.data.inspection_id,
      'asmt_',
      '2026-11-20 09:30 UTC',
      'US Midwest (US_MIDWEST), version 2026.2',
      'vehi-damage-s416 0.1.0',
      'vehi 0.1.0',
      'Condition at a glance',
      '12 damages',
      '5 less certain finds are listed nowhere',
      'Photos with finds',
      'Totals by department',
      'Refinish overlap of adjacent panels',
      'Clear coat capped at 2.5 h',
      'Estimate for the vehicle',
      'Operations by part',
      'Rpr *',
      'Repair options by damage',
      'Not chosen: Repair costs less than 75 % of replacement.',
      '6 working days',
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

  it('lists every damage once in the table of damages', async () => {
    const { pages, text } = await render({
      inspection: exampleInspection({ damages: 3, photos: 3 }),
      assessment: null,
    });
    expect(pages[0]?.text).toContain('3 damages');
    expect(text).toMatch(/Damages .* 1 .* 2 .* 3 .* Without tax/);
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
    const { text } = await render({ inspection: hundred, assessment: null });
    expect(text).toMatch(/Photo 13: довга_назва_[^ ]*…[^ ]*_12\.jpg/);
  });

  it('gives a damage the assessment’s repair and price wherever it stands', async () => {
    const assessment = exampleAssessment(some);
    const { text } = await render({ inspection: some, assessment });
    const [first] = some.data.results?.damages ?? [];
    const quick = first?.estimated_repair;
    expect(text).toContain('Conventional repair');
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

  it('has the pictures of all photos and a close-up per damage', async () => {
    const pictures = await gatherPictures({ inspection: some }, paintedPictures());
    const { pages } = await render({ inspection: some, assessment: null }, 'A4', pictures);
    expect(pages.reduce((sum, page) => sum + page.images, 0)).toBe(6 + 12);
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
    const { marked, pages, info, outline } = await render({
      inspection: some,
      assessment: exampleAssessment(some),
    });
    expect(marked?.Marked).toBe(true);
    expect(info.Title).toContain('veh_fleet_4711');
    expect(info.Language).toBe('en');
    expect(outline).toContain('Damages');
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

/** Painted noise differs from run to run: one plain picture for all serves where bytes are compared. */
const paintedOnce = {
  load: async (_photo: unknown, wanted: { crops: readonly unknown[] }) => {
    const picture = { jpeg: ONE_PIXEL, width: 1, height: 1 };
    return { photo: picture, crops: wanted.crops.map(() => picture) };
  },
};
const ONE_PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AKp//2Q==',
  'base64',
);
