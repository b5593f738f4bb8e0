import { describe, expect, it } from 'vitest';
import { assessed } from '../../../helpers/pricing/assessments.ts';

/** One bumper cover in the US Midwest, with what `terms` make of its bill. */
function settled(settlement: object) {
  const { data } = assessed({
    damages: [{ damage_id: 'd', type: 'crack', location: 'front_bumper', severity: 'severe' }],
    vehicle: { class: 'standard' },
    assessment_options: {
      labor_rate_region: 'US_MIDWEST',
      currency: 'USD',
      associated_operations: 'off',
    },
    settlement,
  });
  const { settlement: result, repair_cost_summary: costs } = data.summary;
  if (result === undefined) throw new Error('no settlement');
  return { ...result, costs };
}
const lines = (terms: object) =>
  settled(terms).lines.map(({ code, amount, insurer, owner }) => [code, amount, insurer, owner]);

/**
 * The bill, by hand: 7.1 h x 115.00 = 816.50 of labor; the cover 670.00 and paint materials 4.2 h x 53.50 = 224.70 are
 * 894.70, taxed at 6.25 % = 55.92 (55.91875); gross 816.50 + 894.70 + 55.92 = 1,767.12.
 */
const GROSS = 1767.12;

describe('who pays what', () => {
  it('the bill is the gross total', () => {
    expect(settled({ deductible: 0 }).costs).toMatchObject({ net_total: 1711.2, gross_total: GROSS });
  });

  it('deductible: once, off what the insurer pays; towing, storage and rental are on the insurer', () => {
    const terms = {
      deductible: 500,
      towing: 150,
      storage: { days: 3, per_day: 40 },
      rental: { days: 5, per_day: 35 },
    };
    expect(lines(terms)).toEqual([
      ['repair', GROSS, GROSS, 0],
      ['towing', 150, 150, 0],
      ['storage', 120, 120, 0],
      ['rental', 175, 175, 0],
      ['deductible', 0, -500, 500],
    ]);
    // 1,767.12 + 150 + 120 + 175 = 2,212.12, less 500.
    expect(settled(terms)).toMatchObject({ total: 2212.12, insurer_pays: 1712.12, owner_pays: 500 });
  });

  it('betterment without a share or an amount is refused; prior damage without one is the whole part', () => {
    expect(() => settled({ betterment: [{ of: 'front_bumper' }] })).toThrow(
      /settlement\.betterment\[0\] says neither a percentage nor an amount/,
    );
    expect(() => settled({ prior_damage: [{ of: 'front_bumper' }] })).not.toThrow();
  });

  it('betterment: the owner pays a share of the part with its tax, before the deductible', () => {
    const cover = settled({}).costs;
    expect(cover.tax?.taxable).toBe(894.7);
    const terms = { deductible: 500, betterment: [{ of: 'front_bumper/rr', percentage: 30 }] };
    const [, betterment, deductible] = lines(terms);
    const left = { betterment: [{ of: 'front_door_left', percentage: 30 }] };
    const door = { damage_id: 'd', type: 'dent', location: 'front_door_left', severity: 'severe' };
    const { settlement } = assessed({ damages: [door], settlement: left }).data.summary;
    expect(settlement?.lines[1]?.description).toBe('Betterment: front door, left, 30 %');
    // R&R 2.9 h x 115.00 = 333.50, cover 670.00, tax 41.875: 1,045.375, of it 30 % = 313.6125.
    expect(betterment).toEqual(['betterment', 0, -313.61, 313.61]);
    expect(deductible).toEqual(['deductible', 0, -500, 500]);
    expect(settled(terms)).toMatchObject({ insurer_pays: 953.51, owner_pays: 813.61 });
  });

  it('prior damage of a part: its lines with tax, and its share of the paint materials', () => {
    const { data } = assessed({
      damages: ['front_bumper', 'rear_bumper'].map((location, i) => ({
        damage_id: `d${i}`,
        type: 'crack',
        location,
        severity: 'severe',
      })),
      settlement: { prior_damage: [{ of: 'rear_bumper' }] },
    });
    // Refn 3.0 and 3.0 - 0.2, clear 1.2 + 0.6 = 1.8 on the front cover: 7.6 h x 53.50 = 406.60, with tax 432.0125, of it
    // 2.8 / 7.6 = 159.1625. R&R 2.0 and Refn 2.8 h x 115.00 = 552.00, cover 594.00, tax 37.125: 1,342.2875.
    expect(data.summary.settlement?.lines[1]).toMatchObject({ code: 'prior_damage', owner: 1342.29 });
  });

  it('prior damage: what was broken before is the owner`s, and comes off first', () => {
    const terms = { deductible: 500, prior_damage: [{ amount: 400, reason: 'old scrape' }] };
    expect(lines(terms)).toEqual([
      ['repair', GROSS, GROSS, 0],
      ['prior_damage', 0, -400, 400],
      ['deductible', 0, -500, 500],
    ]);
    expect(settled(terms)).toMatchObject({ insurer_pays: 867.12, owner_pays: 900 });
  });

  it('the insurer never pays less than nothing, and owner and insurer pay the bill', () => {
    const terms = { deductible: 500, prior_damage: [{ of: 'front_bumper' }, { amount: 90 }], towing: 80 };
    const { total, insurer_pays, owner_pays } = settled(terms);
    expect(insurer_pays + owner_pays).toBeCloseTo(total, 6);
    expect(insurer_pays).toBe(0);
    const small = settled({ deductible: 5000 });
    expect(small).toMatchObject({ insurer_pays: 0, owner_pays: GROSS });
    expect(small.lines.at(-1)).toMatchObject({ insurer: -GROSS, owner: GROSS });
  });
});
