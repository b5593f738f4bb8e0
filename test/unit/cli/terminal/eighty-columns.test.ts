// @module-tag slow: runs models and decodes photos
import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  makeEmptyRow,
  makeRow,
  renderSummaryCsv,
  renderSummaryTable,
} from '../../../../src/cli/fleet/summary.ts';
import { main } from '../../../../src/cli/main.ts';
import { openRedaction } from '../../../../src/cli/outputs/redaction.ts';
import { makeReportPictures } from '../../../../src/cli/outputs/report-pictures.ts';
import { countColumns } from '../../../../src/cli/terminal/output.ts';
import type { InspectionEnvelope } from '../../../../src/contract/inspection.ts';
import { fakeTerminal } from '../../../helpers/cli/fake-terminal.ts';
import { TINY_MODELS, writeDrawnCar } from '../../../helpers/photos/drawn-car.ts';
import { printAnswer } from '../../../helpers/reports/print-answer.ts';
import { exampleAssessment } from '../../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../../helpers/results/example-inspection.ts';
import { RESULTS } from '../../../helpers/results/seven-results.ts';
import { divide } from '../../../helpers/results/two-vehicles.ts';
import { makeOwnFolder, openFiles } from '../../../helpers/temporary-folder.ts';

const SOURCES = resolve(import.meta.dirname, '../../../../src/cli');
const LONG_NAME = 'a photo of the front left with a rather long name of its own, taken on Tuesday.jpeg';
const VEHICLE = 'a-vehicle-with-a-rather-long-name-of-its-own';
const { folder: dir, at, write } = openFiles(makeOwnFolder('eighty'));

const findTooWide = (text: string) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => Array.from(line).length > 80);

/** A result whose vehicle and photos have long names. */
function renameAll(inspection: InspectionEnvelope): InspectionEnvelope {
  const { vehicle_id, images } = inspection.data;
  const names = [[vehicle_id, VEHICLE], ...images.map(({ url }, at) => [url, `photos/${at} ${LONG_NAME}`])];
  const text = names.reduce(
    (json, [was, name]) => json.replaceAll(JSON.stringify(was), JSON.stringify(name)),
    JSON.stringify(inspection),
  );
  return JSON.parse(text);
}
const inspection = renameAll(exampleInspection({ damages: 9, photos: 4 }));

beforeAll(async () => {
  write('before.json', renameAll(exampleInspection({ damages: 5, photos: 4 })));
  write('after.json', inspection);
  await writeDrawnCar(at('car.jpg'));
});

const DENT = '--damage hood:dent:moderate:4';
test.each<[line: string, prints: RegExp]>([
  ['compare before.json after.json', /\d new [\s\S]*repaired/],
  ['report after.json --format table', /Damage/],
  [`inspect car.jpg --verbose --models ${TINY_MODELS}`, /Score/],
  ['regions list', /^US_TEXAS +Texas +\S+ USD\/h +2026-/m],
  ['regions show EU_GERMANY', /Total loss/],
  ['config', /region/],
  [`assess ${DENT} --damage windshield:glass_damage`, /^TOTAL LOSS/m],
  [`assess ${DENT} --damage windshield:glass_damage --options`, /Repair estimate/],
  [`assess ${DENT} --explain`, /^\w+(\.\w+)+ \w+=/m],
  [`doctor --models ${TINY_MODELS}`, /Node/],
  ['help', /inspect/],
  [`report ${'long-name-'.repeat(4)}.json`, /there is no file/],
])('every line of %s fits 80 columns', async (line, prints) => {
  const env = { CI: 'true', XDG_CONFIG_HOME: at('config'), VEHI_DATA_DIR: at('data') };
  const { ctx, stdout, stderr } = fakeTerminal({ cwd: dir, columns: 80, isTTY: true, env });
  await main(['node', 'vehi', ...line.split(' ')], ctx);
  expect(stdout() || stderr()).toMatch(prints);
  expect(findTooWide(`${stdout()}${stderr()}`)).toEqual([]);
});

test.each([
  ...RESULTS,
  ['several vehicles', divide(exampleInspection({ damages: 12, photos: 6, toCheck: 4 }))] as const,
])('inspect and inspect --verbose of %s fit 80 columns, with long names too', (_, found) => {
  for (const shown of [found, renameAll(found)])
    for (const detail of [{}, { verbose: true }, { verbose: true, all: true }])
      expect(findTooWide(printAnswer({ inspection: shown }, { columns: 80, ...detail }))).toEqual([]);
});

test('the summary of many vehicles fits 80 columns; it prices the vehicle as one repair, and grades none that was hardly seen', () => {
  const unseen = renameAll(exampleInspection({ damages: 0, photos: 0, toCheck: 1 }));
  const rows = [
    makeRow({ inspection, assessment: exampleAssessment(inspection) }, 'a', 'a.json', null),
    makeEmptyRow('error', { label: VEHICLE, folder: 'c' }, 'cannot be read'),
    makeRow({ inspection: unseen, assessment: null }, 'd', 'd.json', null),
  ];
  const table = renderSummaryTable(rows, 0, 80);
  expect(findTooWide(table)).toEqual([]);
  expect(table).toMatch(/^vehicle +condition +damages +to check +repair/);
  const { repair_cost: one, damage_summary: sums, to_check } = inspection.data.results ?? expect.fail();
  expect(rows[0]).toMatchObject({ cost_min: one.min, cost_max: one.max, to_check: to_check.length });
  expect(one.max).not.toBe(sums.total_estimated_repair.max);
  expect(renderSummaryCsv(rows).split('\r\n')[0]).toContain('damages,to_check,');
  expect(renderSummaryTable(rows, 0, 120)).toMatch(/ no grade /);
  expect(rows[2]).toMatchObject({ condition: null, condition_score: null });
});

test('a photo that a report does not show is named within 80 columns, its name as text', async () => {
  const [, found] = RESULTS[1] ?? expect.fail();
  const changed = structuredClone(found);
  Object.assign(changed.data.images[0] ?? {}, { url: `photos/\u001b[31m${LONG_NAME}` });
  const { ctx, stderr } = fakeTerminal({ columns: 80, isTTY: true });
  const redaction = openRedaction({ value: null, from: 'default' } as never, ctx);
  await makeReportPictures({ inspection: changed, assessment: null }, undefined, redaction, ctx)();
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
  // Examples are not wrapped.
  const wrapped = stdout().slice(stdout().indexOf('Usage:'));
  expect(wrapped).toContain('--fail-on');
  expect(findTooWide(wrapped)).toEqual([]);
});

test.each([
  [new Socket(), 80, 80],
  [new Socket(), 120, 100],
  [new Socket(), undefined, 100],
  [new PassThrough(), 80, 100],
])('piped text has at most the width of the terminal, in a file 100 columns', (stdout, columns, expected) => {
  const stderr = Object.assign(new PassThrough(), columns === undefined ? {} : { columns });
  expect(countColumns({ stdout, stderr })).toBe(expected);
});

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
