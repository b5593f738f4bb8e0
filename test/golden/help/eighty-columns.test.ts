import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  makeEmptyRow,
  makeRow,
  renderSummaryCsv,
  renderSummaryTable,
} from '../../../src/cli/fleet/summary.ts';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { loadBuilt } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { exampleAssessment } from '../../helpers/results/example-assessment.ts';
import { exampleInspection } from '../../helpers/results/example-inspection.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const VEHICLE = 'a-vehicle-with-a-rather-long-name-of-its-own';
const inspection = named(exampleInspection({ damages: 9, photos: 4 }));
const dir = makeOwnFolder('eighty');

function named<T extends { data: { vehicle_id: string } }>(envelope: T): T {
  return { ...envelope, data: { ...envelope.data, vehicle_id: VEHICLE } };
}

beforeAll(async () => {
  const before = named(exampleInspection({ damages: 5, photos: 4 }));
  writeFileSync(join(dir, 'before.json'), JSON.stringify(before));
  writeFileSync(join(dir, 'after.json'), JSON.stringify(inspection));
  await writeDrawnCar(join(dir, 'car.jpg'));
}, 60_000);

/** Runs a command on a terminal of 80 columns. */
async function onScreen(line: string) {
  const env = { CI: 'true', XDG_CONFIG_HOME: join(dir, 'config'), VEHI_DATA_DIR: join(dir, 'data') };
  const screen = fakeTerminal({ cwd: dir, columns: 80, isTTY: true, env });
  const main = await loadBuilt();
  await main(['node', 'vehi', ...line.split(' ')], screen.ctx);
  return { stdout: screen.stdout(), stderr: screen.stderr() };
}

function tooWide(text: string): readonly string[] {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => Array.from(line).length > 80);
}

describe('on a terminal of 80 columns every line fits', () => {
  const DAMAGES = '--damage hood:dent:moderate:4 --damage windshield:glass_damage';
  test.each<[line: string, shows: RegExp]>([
    ['compare before.json after.json', /\d new [\s\S]*repaired/],
    ['report after.json --format table', /Damage/],
    [`inspect car.jpg --verbose --models ${TINY_MODELS}`, /Score/],
    ['regions list', /^US_TEXAS +Texas +\S+ USD\/h +2026-/m],
    ['regions show EU_GERMANY', /Total loss/],
    ['config', /region/],
    [`assess ${DAMAGES}`, /^TOTAL LOSS/m],
    [`assess ${DAMAGES} --options`, /Repair estimate/],
    ['assess --damage hood:dent:moderate:4 --explain', /^\w+(\.\w+)+ \w+=/m],
    ['doctor', /Node/],
    ['help', /inspect/],
  ])('%s', async (line, shows) => {
    const { stdout, stderr } = await onScreen(line);
    expect(stdout, stderr).toMatch(shows);
    expect(tooWide(`${stdout}${stderr}`)).toEqual([]);
  });

  test('an error too', async () => {
    const { stderr } = await onScreen(`report ${'long-name-'.repeat(4)}.json`);
    expect(stderr).toMatch(/there is no file/);
    expect(tooWide(stderr)).toEqual([]);
  });
});

describe('the summary of many vehicles', () => {
  const [wide, narrow] = [inspection, named(exampleInspection({ damages: 0, photos: 2 }))];
  const unseen = named(exampleInspection({ damages: 0, photos: 0, toCheck: 1 }));
  const rows = [
    makeRow({ inspection: wide, assessment: exampleAssessment(wide) }, 'a', 'a.json', null),
    makeRow({ inspection: narrow, assessment: null }, 'b', 'b.json', null),
    makeEmptyRow('error', { label: VEHICLE, folder: 'c' }, 'cannot be read'),
    makeRow({ inspection: unseen, assessment: null }, 'd', 'd.json', null),
  ];

  test('fits, and names places to check', () => {
    const table = renderSummaryTable(rows, 0, 80);
    expect(tooWide(table)).toEqual([]);
    expect(table).toMatch(/^vehicle +condition +damages +to check +repair/);
  });

  test('has no grade where too little was seen for one', () => {
    expect(renderSummaryTable(rows, 0, 120)).toMatch(/ no grade /);
    expect(rows[3]).toMatchObject({ condition: null, condition_score: null });
  });

  test('has the price of the vehicle as one repair, not the sum of its damages', () => {
    const { repair_cost: one, damage_summary: sums, to_check: toCheck } = wide.data.results ?? expect.fail();
    expect(rows[0]).toMatchObject({ cost_min: one.min, cost_max: one.max, to_check: toCheck.length });
    expect(one.max).not.toBe(sums.total_estimated_repair.max);
    expect(renderSummaryCsv(rows).split('\r\n')[0]).toContain('damages,to_check,');
  });
});
