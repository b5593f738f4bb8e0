import { expect, it } from 'vitest';
import { compareVersions, type EarlierLine } from '../../../../src/pricing/lines/difference.ts';
import type { PricedLine } from '../../../../src/pricing/lines/priced-line.ts';

const line = (id: string, hoursTenths: number, amountMinor: number): EarlierLine => ({
  id,
  operation: 'Rpr',
  part: 'hood',
  hoursTenths,
  amountMinor,
});
const counted = (one: EarlierLine, into = 'total') => ({ ...one, countedIn: into }) as unknown as PricedLine;

it('lists what was added, changed and removed, from nothing or to nothing; lines that do not count are left out', () => {
  const before = [line('same', 10, 500), line('hours', 20, 900), line('gone', 7, 300)];
  const lines = [
    counted(line('same', 10, 500)),
    counted(line('hours', 25, 1100)),
    counted(line('new', 4, 200)),
    counted(line('expected', 9, 999), 'range'),
  ];
  const difference = compareVersions(
    { version: 'E01', netMinor: 1700, grossMinor: 2000, lines: before },
    { lines, netMinor: 1800, grossMinor: 2150 },
  );
  expect(
    difference.lines.map((one) => [
      one.id,
      one.change,
      one.hoursTenths,
      one.amountMinor,
      one.differenceMinor,
    ]),
  ).toEqual([
    ['hours', 'changed', [20, 25], [900, 1100], 200],
    ['new', 'added', [0, 4], [0, 200], 200],
    ['gone', 'removed', [7, 0], [300, 0], -300],
  ]);
  expect(difference).toMatchObject({ netMinor: 100, grossMinor: 150 });
});
