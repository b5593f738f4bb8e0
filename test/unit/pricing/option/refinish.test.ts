import { describe, expect, it } from 'vitest';
import { makeRefinishLines } from '../../../../src/pricing/option/refinish.ts';
import type { RefinishEntry } from '../../../../src/pricing/option/repair-plan.ts';
import { TABLES } from '../../../helpers/pricing/assessments.ts';

const JOB: Parameters<typeof makeRefinishLines>[2] = { tables: TABLES, paint: 'metallic' };
const panel = (part: string, hours: number): RefinishEntry => ({ part, baseTenths: Math.round(hours * 10) });
/** Hours per operation and the total, in tenths. */
function tenths(entries: RefinishEntry[], blends: RefinishEntry[] = [], job = JOB) {
  const lines = makeRefinishLines(entries, blends, job);
  const of = (operation: string) =>
    lines.filter((line) => line.operation === operation).map((line) => line.hoursTenths);
  return {
    refn: of('Refn'),
    clear: of('Clear'),
    stages: of('3-stg'),
    blend: of('Blnd'),
    total: lines.reduce((sum, line) => sum + line.hoursTenths, 0),
  };
}

describe('refinish arithmetic', () => {
  it('the published example: hood and two fenders of 3.0 h are 8.2 + 2.2 = 10.4 h', () => {
    // 3.0 + 2.6 + 2.6 = 8.2; clear 0.4 x 3.0 + 0.2 x 2.6 + 0.2 x 2.6 = 2.24 -> 2.2
    const job = tenths([panel('front_fender_left', 3), panel('hood', 3), panel('front_fender_right', 3)]);
    expect(job).toEqual({ refn: [30, 26, 26], clear: [22], stages: [], blend: [], total: 104 });
  });

  it.each([
    ['one panel: 40 % clear', [panel('hood', 2.5)], [25], 10],
    ['not adjacent: 0.2 off', [panel('hood', 3), panel('trunk_lid', 2)], [30, 18], 16], // 1.2 + 0.36
    [
      'a minor panel: 0.2 off, whatever is next to it',
      [panel('hood', 3), panel('outside_mirror', 0.4)],
      [30, 2],
      12,
    ],
    ['a minor panel keeps nothing below its overlap', [panel('hood', 3), panel('trim', 0.1)], [30, 0], 12],
    [
      'two groups: the first panel of the second group gives 0.2, the rest 0.4',
      [
        panel('hood', 3),
        panel('front_fender_left', 2),
        panel('trunk_lid', 2.5),
        panel('quarter_panel_left', 2.4),
      ],
      [30, 23, 20, 16],
      24, // 1.2 + 0.46 + 0.40 + 0.32 = 2.38
    ],
    [
      'the cap of 2.5 h',
      [
        panel('hood', 4),
        panel('front_fender_left', 3),
        panel('front_fender_right', 3),
        panel('front_bumper', 3),
      ],
      [40, 28, 26, 26], // the cover touches nothing: 0.2 off
      25, // 1.6 + 0.56 + 2 x 0.52 = 3.2
    ],
  ])('%s', (_, entries, refn, clear) => {
    const job = tenths(entries);
    expect(job.refn).toEqual(refn);
    expect(job.clear).toEqual([clear]);
  });

  it('three-stage adds 70 % on the first panel and 40 % on each further one, in place of the clear coat', () => {
    // collisionblast.com/?p=18572. 0.7 x 3.0 + 0.4 x 2.6 = 3.14 -> 3.1
    const job = tenths([panel('hood', 3), panel('front_fender_left', 3)], [], {
      ...JOB,
      paint: 'three_stage',
    });
    expect(job.stages).toEqual([31]);
    expect(job.clear).toEqual([]);
  });

  it('a three-stage quarter panel of 4.2 h is 2.9 h more, as CCC prints it (repair 22182)', () => {
    const job = tenths([panel('quarter_panel_left', 4.2)], [], { ...JOB, paint: 'three_stage' });
    expect(job).toEqual({ refn: [42], clear: [], stages: [29], blend: [], total: 71 });
  });

  it('a bumper cover next to a quarter panel overlaps as not adjacent, 0.2 h (repair 22182)', () => {
    expect(tenths([panel('quarter_panel_left', 4.2), panel('rear_bumper', 3)]).refn).toEqual([42, 28]);
  });

  it('blends take half the base, 70 % in three stages; a painted panel is not blended', () => {
    const blends = [panel('front_door_left', 1.9), panel('hood', 3), panel('front_door_left', 1.9)];
    expect(tenths([panel('hood', 3)], blends).blend).toEqual([10]); // 0.95 -> 1.0
    expect(tenths([panel('hood', 3)], blends, { ...JOB, paint: 'three_stage' }).blend).toEqual([13]); // 1.33
  });

  it('nothing to paint is no time', () => {
    expect(tenths([]).total).toBe(0);
    expect(tenths([panel('wheel', 0)]).total).toBe(0);
  });
});
