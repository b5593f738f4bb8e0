import { describe, expect, it } from 'vitest';
import { PART_NAMES } from '../../../src/domain/parts.ts';
import { loadTables, type Tables } from '../../../src/pricing/tables/load.ts';
import { findRegion } from '../../../src/pricing/tables/regions.ts';
import { TABLES } from '../../helpers/pricing/assessments.ts';
import { checkShippedTables } from '../../helpers/pricing/check-tables.ts';

describe('the shipped tables', () => {
  it('are loaded as their check has found them good', () => {
    expect(loadTables()).toEqual(checkShippedTables());
  });

  it('a broken row is reported with table, row and reason', () => {
    const broken = (name: keyof Tables) => {
      const table = structuredClone(loadTables()[name]) as { rows: { source?: string }[] };
      if (name === 'pdr') delete table.rows[0]?.source;
      return table;
    };
    expect(() => checkShippedTables(broken)).toThrow(/pdr\.json: rows\[0\].*source/);
    const mistyped = (name: keyof Tables) => {
      const table = structuredClone(loadTables()[name]) as { rows: { only_with?: object }[] };
      if (name === 'associated') Object.assign(table.rows[0] ?? {}, { only_with: { drive: ['electrik'] } });
      return table;
    };
    expect(() => checkShippedTables(mistyped)).toThrow(/associated\.json: rows\[0\]\.only_with\.drive/);
    const negative = (name: keyof Tables) => {
      const table = structuredClone(loadTables()[name]);
      if (name === 'operations') (table as Tables['operations']).align.hours = -1;
      return table;
    };
    expect(() => checkShippedTables(negative)).toThrow('operations.json: align.hours: -1 is no figure');
    const unsourced = (name: keyof Tables) => {
      const table = structuredClone(loadTables()[name]) as { align?: { source?: string } };
      if (name === 'operations') delete table.align?.source;
      return table;
    };
    expect(() => checkShippedTables(unsourced)).toThrow('operations.json: align: source is missing');
  });

  // Contract, "Supported labor regions".
  it.each([
    ['US_CALIFORNIA', 150, 200, 'USD'],
    ['US_TEXAS', 100, 150, 'USD'],
    ['US_NORTHEAST', 125, 175, 'USD'],
    ['US_MIDWEST', 90, 140, 'USD'],
    ['EU_GERMANY', 80, 120, 'EUR'],
    ['EU_UK', 70, 100, 'GBP'],
    ['EU_FRANCE', 70, 100, 'EUR'],
    ['ASIA_JAPAN', 8000, 12000, 'JPY'],
    ['ASIA_CHINA', 400, 800, 'CNY'],
  ])('%s: %d to %d %s', (code, low, high, currency) => {
    expect(findRegion(TABLES, code)).toMatchObject({ rate_per_hour: [low, high], currency });
  });

  it('hold the nine regions and every part of the contract once, with a source', () => {
    expect(TABLES.regions.rows.map(({ code }) => code).slice(9)).toEqual([
      'EU_GERMANY_CLAIMS',
      'EU_UK_CLAIMS',
      'ASIA_JAPAN_INDEPENDENT',
      'ASIA_CHINA_INDEPENDENT',
    ]);
    expect(TABLES.parts.rows.flatMap((row) => row.parts).sort()).toEqual([...PART_NAMES].sort());
    for (const row of [
      ...TABLES.regions.rows,
      ...TABLES.parts.rows,
      ...TABLES.parts.components,
      ...TABLES.pdr.rows,
      ...TABLES.associated.rows,
    ]) {
      expect(row.source.length).toBeGreaterThan(5);
    }
  });

  it('repair never takes more base refinish than a new panel, which has edges to paint as well', () => {
    for (const row of TABLES.parts.rows)
      expect(row.refinish_new_hours).toBeGreaterThanOrEqual(row.refinish_repair_hours);
  });
});
