import { expect, test } from 'vitest';
import { gradeClaim, type SeverityClaim } from '../../../../src/domain/judge/severity-floor.ts';

const minor = (claim: Omit<SeverityClaim, 'severity'>): SeverityClaim => ({ ...claim, severity: 'minor' });

test.each<[string, SeverityClaim, string, string | undefined]>([
  ['a frame', minor({ type: 'panel_damage', subtype: 'frame_damage', part: 'hood' }), 'severe', 'frame'],
  [
    'a missing part',
    minor({ type: 'panel_damage', subtype: 'missing_part', part: 'hood' }),
    'moderate',
    'missing-part',
  ],
  ['a broken side window', minor({ type: 'crack', part: 'side_window_fl' }), 'severe', 'tempered-glass'],
  ['a broken rear window', minor({ type: 'glass_damage', part: 'rear_window' }), 'severe', 'tempered-glass'],
  ['a scratched rear window', minor({ type: 'scratch', part: 'rear_window' }), 'minor', undefined],
  [
    'a crack of 15.1 cm in the windshield',
    minor({ type: 'crack', part: 'windshield', sizeCm: 15.1 }),
    'severe',
    'windshield-large',
  ],
  [
    'a crack of 15 cm in the windshield',
    minor({ type: 'crack', part: 'windshield', sizeCm: 15 }),
    'moderate',
    'windshield-crack',
  ],
  [
    'a crack of 40 cm in a bumper',
    minor({ type: 'crack', part: 'front_bumper', sizeCm: 40 }),
    'minor',
    undefined,
  ],
  ['a chip in the windshield', minor({ type: 'glass_damage', part: 'windshield' }), 'minor', undefined],
  [
    'a shattered windshield',
    minor({ type: 'glass_damage', subtype: 'shattered_glass', part: 'windshield' }),
    'severe',
    'shattered',
  ],
  ['a broken lamp', minor({ type: 'glass_damage', part: 'fog_light_left' }), 'moderate', 'lamp-broken'],
  ['a dull lamp', minor({ type: 'scratch', part: 'headlight_left' }), 'minor', undefined],
  ['a safety part', minor({ type: 'rust', part: 'brake_system' }), 'moderate', 'safety-part'],
])('%s that is called minor comes out as its floor demands', (_, claim, severity, floor) => {
  const graded = gradeClaim(claim);
  expect(graded.severity).toBe(severity);
  expect(graded.trace.map(({ rule }) => rule)).toEqual(floor ? [`severity.floor.${floor}`] : []);
});
