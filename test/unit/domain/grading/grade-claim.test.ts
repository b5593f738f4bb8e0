import { expect, test } from 'vitest';
import { gradeClaim, type SeverityClaim } from '../../../../src/domain/grading/grade-claim.ts';

type Row = [string, SeverityClaim['type'], SeverityClaim['part'], Partial<SeverityClaim>, string, string?];

test.each<Row>([
  ['a frame', 'panel_damage', 'hood', { subtype: 'frame_damage' }, 'severe', 'frame'],
  ['a missing part', 'panel_damage', 'hood', { subtype: 'missing_part' }, 'moderate', 'missing-part'],
  ['a broken side window', 'crack', 'side_window_fl', {}, 'severe', 'tempered-glass'],
  ['a broken rear window', 'glass_damage', 'rear_window', {}, 'severe', 'tempered-glass'],
  ['a scratched rear window', 'scratch', 'rear_window', {}, 'minor'],
  ['a windshield, 15.1 cm', 'crack', 'windshield', { sizeCm: 15.1 }, 'severe', 'windshield-large'],
  ['a windshield, 15 cm', 'crack', 'windshield', { sizeCm: 15 }, 'moderate', 'windshield-crack'],
  ['a crack of 40 cm in a bumper', 'crack', 'front_bumper', { sizeCm: 40 }, 'minor'],
  ['a chip in the windshield', 'glass_damage', 'windshield', {}, 'minor'],
  ['a windshield', 'glass_damage', 'windshield', { subtype: 'shattered_glass' }, 'severe', 'shattered'],
  ['a broken lamp', 'glass_damage', 'fog_light_left', {}, 'moderate', 'lamp-broken'],
  ['a dull lamp', 'scratch', 'headlight_left', {}, 'minor'],
  ['a safety part', 'rust', 'brake_system', {}, 'moderate', 'safety-part'],
])('%s that is called minor comes out as its floor demands', (_, type, part, more, severity, floor) => {
  const graded = gradeClaim({ type, part, severity: 'minor', ...more });
  expect(graded.severity).toBe(severity);
  expect(graded.trace.map(({ rule }) => rule)).toEqual(floor ? [`severity.floor.${floor}`] : []);
});

test.each([
  [{ severity: 'minor', severityScore: 9 }, 'critical', 9, 'raised-by-score'],
  [{ severity: 'severe', severityScore: 1 }, 'severe', 5, 'score-raised'],
  [{ severity: 'severe', severityScore: 5 }, 'severe', 5],
  [{ severityScore: 7.5 }, 'critical', 7.5],
  [{}, 'minor', 1.25, 'default'],
] as const)('%j is %s with %d, and each raise leaves its rule', (stated, severity, score, rule?: string) => {
  const graded = gradeClaim({ type: 'scratch', part: 'hood', ...stated });
  expect([graded.severity, graded.severityScore]).toEqual([severity, score]);
  expect(graded.trace.map((one) => one.rule)).toEqual(rule ? [`severity.${rule}`] : []);
});
