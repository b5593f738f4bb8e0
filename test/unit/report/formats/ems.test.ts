import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DBFFile } from 'dbffile';
import { expect, it } from 'vitest';
import { makeEmsTables } from '../../../../src/report/formats/ems.ts';
import { makeOwnFolder } from '../../../helpers/own-folder.ts';
import { assessed } from '../../../helpers/pricing/assessments.ts';

const folder = makeOwnFolder('ems');
type Row = Record<string, unknown>;
const REQUEST = {
  vehicle_id: 'vehicle-1',
  damages: [
    { damage_id: 'a', type: 'crack', location: 'front_bumper', severity: 'severe' },
    { damage_id: 'b', type: 'dent', location: 'hood', severity: 'moderate' },
    { damage_id: 'c', type: 'dent', location: 'front_door_left', severity: 'minor' },
    { damage_id: 'd', type: 'glass_damage', location: 'windshield', severity: 'severe' },
    { damage_id: 'e', type: 'headlight_damage', location: 'headlight_left', severity: 'severe' },
  ],
  vehicle: { make: 'Škoda', model: 'Octavia', year: 2019, vin: 'TMBJG7NE8J0123456', windshield: 'camera' },
  claim: { claim_number: 'C-77', insured: 'Gräfin Öttinger', loss_date: '2026-11-02' },
  assessment_options: { labor_rate_region: 'US_CALIFORNIA', associated_operations: 'all' },
};

/** The tables as another program reads them: the npm package dbffile, which has exports of an estimating system in its tests. */
async function read(envelope: ReturnType<typeof assessed>) {
  const tables = makeEmsTables({ inspection: null, assessment: envelope });
  const read = new Map<string, Row[]>();
  for (const [ending, bytes] of tables) {
    const path = join(folder, `claim${ending}`);
    await writeFile(path, bytes);
    read.set(ending, await (await DBFFile.open(path, { encoding: 'latin1' })).readRecords());
  }
  return { endings: [...tables.keys()], of: (ending: string): readonly Row[] => read.get(ending) ?? [] };
}
const cents = (amount: unknown) => Math.round(Number(amount ?? 0) * 100);
const sum = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);

it('is read by another program, the envelope last', async () => {
  const tables = await read(assessed(REQUEST));
  expect(tables.endings).toEqual(['.veh', '.ad1', '.ad2', '.lin', '.stl', '.ttl', '.env']);
  expect(tables.of('.veh')).toMatchObject([
    { V_VIN: 'TMBJG7NE8J0123456', V_MODEL_YR: '19', V_MAKEDESC: '?koda', V_MODEL: 'Octavia' },
  ]);
  expect(tables.of('.ad1')).toMatchObject([{ CLM_NO: 'C-77', INSD_LN: 'Gräfin Öttinger' }]);
  expect(tables.of('.ad1')[0]?.LOSS_DATE).toEqual(new Date(2026, 10, 2));
  expect(tables.of('.env')).toMatchObject([
    { EMS_VER: '2.01', SUPP_NO: 'E01', TRANS_TYPE: 'E', EST_CTRY: 'USA' },
  ]);
});

it.each([
  ['as computed', []],
  ['with a price agreed on', [{ part: 'hood', price: 499.99 }]],
])('its lines add up to the estimate, and so do the subtotals: %s', async (_, edits) => {
  const envelope = assessed({ ...REQUEST, line_edits: edits });
  const { repair_cost_summary: costs } = envelope.data.summary;
  const tables = await read(envelope);
  const rates: Record<string, number> = Object.fromEntries(
    costs.departments.map((one) => [one.department, one.rate_per_hour ?? 0]),
  );
  const NAMES: Record<string, string> = {
    LAB: 'body',
    LAR: 'refinish',
    LAM: 'mechanical',
    LAS: 'structural',
    LAG: 'glass',
  };
  const materials = tables.of('.stl').find((row) => String(row.TTL_TYPECD) === 'MAPA');
  const lines = sum(
    tables.of('.lin'),
    (row) =>
      Math.round(Number(row.MOD_LB_HRS ?? 0) * (rates[NAMES[String(row.MOD_LBR_TY)] ?? ''] ?? 0) * 100) +
      cents(row.ACT_PRICE) +
      cents(row.MISC_AMT),
  );
  expect(lines + cents(materials?.TTL_AMT)).toBe(cents(costs.net_total));
  const members = tables.of('.stl').filter((row) => !String(row.TTL_TYPECD).endsWith('T'));
  expect(sum(members, (row) => cents(row.TTL_AMT))).toBe(cents(costs.net_total));
  expect(tables.of('.ttl')).toMatchObject([{ G_TTL_AMT: costs.gross_total, G_TAX: costs.tax?.amount }]);
});

it('names the operation, the part and its kind as estimating programs do', async () => {
  const lines = (await read(assessed(REQUEST))).of('.lin');
  const of = (words: string) => lines.find((row) => String(row.LINE_DESC).startsWith(words));
  expect(of('Front bumper')).toMatchObject({
    LBR_OP: 'OP11',
    PART_TYPE: 'PAN',
    MOD_LBR_TY: 'LAB',
    PART_QTY: 1,
  });
  expect(of('Scan before repair')).toMatchObject({ LBR_OP: 'OP16', PART_TYPE: 'PAS', MISC_SUBLT: true });
  expect(lines.map((row) => Number(row.LINE_NO))).toEqual(lines.map((_, i) => i + 1));
});

it('is refused where an amount does not fit, and where there is no estimate', () => {
  const yen = {
    ...REQUEST,
    vehicle: { class: 'luxury' },
    assessment_options: { labor_rate_region: 'ASIA_JAPAN', currency: 'JPY' },
  };
  const many = ['hood', 'roof', 'trunk_lid', 'front_door_left', 'front_door_right', 'rear_door_left'];
  const damages = many.map((location) => ({
    damage_id: location,
    type: 'dent',
    location,
    severity: 'critical',
  }));
  expect(() => makeEmsTables({ inspection: null, assessment: assessed({ ...yen, damages }) })).toThrow(
    /^ems: \d{7}\.00 does not fit into/,
  );
  expect(() => makeEmsTables({ inspection: null, assessment: null })).toThrow(/there is none/);
});
