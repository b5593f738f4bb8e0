import { expect, it } from 'vitest';
import { makeRefinishLines } from '../../../../src/pricing/option/refinish.ts';
import { TABLES } from '../../../helpers/pricing/assessments.ts';

/** Reads panels with their tenths of an hour. */
const readPanels = (text: string) =>
  [...text.matchAll(/(\w+) (\d+)/g)].map(([, part = '', tenths]) => ({ part, baseTenths: Number(tenths) }));
const HOOD_AND_FENDERS = 'front_fender_left 30, hood 30, front_fender_right 30';
const TWO_GROUPS = 'hood 30, front_fender_left 20, trunk_lid 25, quarter_panel_left 24';

// The vehicles computed by hand hold the rest: overlap, the cap of the clear coat, three stages, blends of half the base.
it.each<[name: string, panels: string, blends: string, refn: number[], others: number[]]>([
  // 3.0 + 2.6 + 2.6 = 8.2; clear 0.4 x 3.0 + 0.2 x 2.6 + 0.2 x 2.6 = 2.24 -> 2.2
  ['the published example is 8.2 + 2.2 = 10.4 h', HOOD_AND_FENDERS, '', [30, 26, 26], [22]],
  // The first of the second group gives 0.2, the rest 0.4; clear 1.2 + 0.46 + 0.40 + 0.32 = 2.38
  ['two groups overlap each in itself', TWO_GROUPS, '', [30, 23, 20, 16], [24]],
  ['a minor panel keeps nothing below its overlap', 'hood 30, trim 1', '', [30, 0], [12]],
  // 0.95 -> 1.0
  ['a panel is blended once', 'hood 30', 'front_door_left 19, hood 30, front_door_left 19', [30], [12, 10]],
  ['nothing to paint', '', '', [], []],
  ['a part without paint', 'wheel 0', '', [], []],
])('%s', (_, panels, blends, refn, others) => {
  const job = { tables: TABLES, paint: 'metallic' } as const;
  const lines = makeRefinishLines(readPanels(panels), readPanels(blends), job);
  const hoursOf = (isPanel: boolean) =>
    lines.filter(({ operation }) => (operation === 'Refn') === isPanel).map((line) => line.hoursTenths);
  expect([hoursOf(true), hoursOf(false)]).toEqual([refn, others]);
});
