import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../../../src/cli/main.ts';
import { openRedaction } from '../../../../src/cli/outputs/redaction.ts';
import { makeReportPictures } from '../../../../src/cli/outputs/report-pictures.ts';
import { countColumns, writeStatus } from '../../../../src/cli/terminal/output.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { printAnswer } from '../../../helpers/reports/print-answer.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { RESULTS } from '../../../helpers/results/seven-results.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';

const SOURCES = resolve(import.meta.dirname, '../../../../src/cli');
const LONG_NAME = 'a photo of the front left with a rather long name of its own, taken on Tuesday.jpeg';

const findTooWide = (text: string) => text.split('\n').filter((line) => Array.from(line).length > 80);

/** A result whose vehicle and photos have long names. */
function renamePhotos(inspection: InspectionEnvelope): InspectionEnvelope {
  const urls = inspection.data.images.map(({ url }) => url);
  const text = urls.reduce(
    (json, url, index) =>
      json.replaceAll(JSON.stringify(url), JSON.stringify(`photos/${index} ${LONG_NAME}`)),
    JSON.stringify(inspection),
  );
  return JSON.parse(
    text.replaceAll(
      JSON.stringify(inspection.data.vehicle_id),
      JSON.stringify('a-vehicle-with-a-rather-long-name-of-its-own'),
    ),
  );
}

test.each([
  ...RESULTS,
  ['several vehicles', divide(exampleInspection({ damages: 12, photos: 6, toCheck: 4 }))] as const,
])('inspect and inspect --verbose of %s fit 80 columns, with long names too', (_, inspection) => {
  for (const shown of [inspection, renamePhotos(inspection)])
    for (const detail of [{}, { verbose: true }, { verbose: true, all: true }])
      expect(findTooWide(printAnswer({ inspection: shown }, { columns: 80, ...detail }))).toEqual([]);
});

test('a photo that a report does not show is named within 80 columns, its name as text', async () => {
  const [, found] = RESULTS[1] ?? expect.fail();
  const inspection = structuredClone(found);
  const [first] = inspection.data.images;
  Object.assign(first ?? {}, { url: `photos/\u001b[31m${LONG_NAME}` });
  const { ctx, stderr } = fakeTerminal({ columns: 80, isTTY: true });
  const redaction = openRedaction({ value: null, from: 'default' } as never, ctx);
  await makeReportPictures({ inspection, assessment: null }, undefined, redaction, ctx)();
  expect(stderr().replaceAll(/\s+/g, ' ')).toMatch(
    /are not shown: the file was not found .*--photos DIR, compare with --photos-after\./,
  );
  expect(stderr()).not.toContain('\u001b');
  expect(findTooWide(stderr())).toEqual([]);
});

test('help in a pipe has the width of the terminal', async () => {
  const { ctx, stdout } = fakeTerminal({});
  ctx.stderr.columns = 80;
  await main(['node', 'vehi', 'inspect', '--help'], ctx);
  expect(stdout()).toContain('--fail-on');
  // Examples are not wrapped.
  expect(findTooWide(stdout().slice(stdout().indexOf('Usage:')))).toEqual([]);
});

test('a status line of several sentences fits 80 columns', async () => {
  const { ctx, stderr } = fakeTerminal({ columns: 80, isTTY: true });
  await writeStatus(ctx, `vehi: ${'a sentence with words in it. '.repeat(9)}`);
  expect(stderr().split('\n').length).toBeGreaterThan(3);
  expect(findTooWide(stderr())).toEqual([]);
});

test.each([
  [new Socket(), 80, 80],
  [new Socket(), 120, 100],
  [new Socket(), undefined, 100],
  [new PassThrough(), 80, 100],
])(
  'text in a pipe has at most the width of the terminal, in a file 100 columns',
  (stdout, columns, expected) => {
    const stderr = Object.assign(new PassThrough(), columns === undefined ? {} : { columns });
    expect(countColumns({ stdout, stderr })).toBe(expected);
  },
);

test('only the writer of status lines, the QR code and the stack of a bug write to stderr', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.ts$/.test(file),
  );
  const raw = files.filter((file) =>
    /stderr\.write\(|write\(\s*(?:\w+\.)?stderr\b/.test(readFileSync(join(SOURCES, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(80);
  expect(raw.sort()).toEqual(['capture/capture.run.ts', 'terminal/errors.ts', 'terminal/output.ts']);
});
