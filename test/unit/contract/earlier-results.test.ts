import { expect, test } from 'vitest';
import { withLaterFields } from '../../../src/contract/earlier-results.ts';

const damage = { estimated_repair: { estimated: 250 } };
const earlier = (results: object | null) => ({
  status: 'success',
  data: { inspection_id: 'vis_1', warnings: [{ code: 'coverage' }], results },
});

test('an earlier result gets what was not kept then, empty or unknown, and a warning', () => {
  const sum = { min: 100, max: 900, currency: 'USD' };
  const cost = { ...sum, estimated: 500, vehicle_class: 'unknown', items: 2 };
  const results = { damages: [damage, damage], damage_summary: { total_estimated_repair: sum } };
  expect(withLaterFields(earlier(results))).toEqual({
    status: 'success',
    data: {
      inspection_id: 'vis_1',
      vehicle_groups: [],
      settings: { sensitivity: 'unknown', min_confidence: null },
      warnings: [{ code: 'coverage' }, { code: 'earlier_result', message: expect.any(String) }],
      results: {
        ...results,
        to_check: [],
        repair_cost: cost,
        if_all_confirmed: cost,
        coverage: { seen: 0, too_small: 0, not_seen: 0, of: 0, share: 0, sides: [], parts: [] },
        grade_basis: {
          code: 'parts_seen',
          parts_seen: 0,
          parts: 0,
          sides_missing: [],
          capped: false,
          message: expect.any(String),
        },
        next_photos: [],
        dropped_detections: { implausible: 0 },
      },
    },
  });
});

test('a failed earlier inspection stays without results', () => {
  expect(withLaterFields(earlier(null))).toMatchObject({ data: { vehicle_groups: [], results: null } });
});

test.each([
  ['a list', []],
  ['null', null],
  ['an assessment', { data: { assessment_id: 'asmt_1' } }],
  ['a result with places to check', earlier({ damages: [], to_check: [] })],
  ['a result with groups of vehicles', { data: { inspection_id: 'vis_1', vehicle_groups: [] } }],
  ['a result with settings', { data: { inspection_id: 'vis_1', settings: {} } }],
])('%s is returned as it is', (_, value) => {
  expect(withLaterFields(value)).toBe(value);
});
