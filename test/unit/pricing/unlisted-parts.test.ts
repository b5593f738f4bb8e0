import { expect, test } from 'vitest';
import { fitsPart } from '../../../src/domain/possible-types.ts';
import { isUnlisted, UNLISTED_PARTS, type UnlistedSubtype } from '../../../src/domain/unlisted-parts.ts';
import { assessed, TABLES, workOf } from '../../helpers/pricing/assessments.ts';

/** What an estimate calls what a person chose that is no part of the contract. */
const COMPONENTS: Readonly<Record<UnlistedSubtype, string>> = {
  mirror_damage: 'outside_mirror',
  grille_damage: 'front_grille',
  trim_damage: 'trim_molding',
  wheel_damage: 'wheel',
  tyre_damage: 'tire',
  liner_damage: 'wheel_liner',
  rocker_damage: 'rocker_panel',
};

test.each(UNLISTED_PARTS.map(({ part, subtype }) => [subtype, part] as const))(
  'a missing part of %s at %s is a new one by its own row of the table, with the source of the row',
  (subtype, location) => {
    const damage = { damage_id: 'a', type: 'panel_damage', subtype, location, severity: 'critical' };
    const lines = workOf(assessed({ damages: [damage] }));
    const [row, ...others] = TABLES.parts.components.filter(({ subtypes }) => subtypes.includes(subtype));
    expect([row?.component, ...others]).toEqual([COMPONENTS[subtype]]);
    expect(fitsPart('panel_damage', location)).toBe(true);
    expect(row?.oem).toBeGreaterThan(0);
    const line = lines.find(({ operation }) => operation === 'R&R');
    expect(line).toMatchObject({ part: COMPONENTS[subtype], because_of: location, source: row?.source });
    expect(line?.price).toBeGreaterThan(0);
    expect(line?.hours).toBeGreaterThanOrEqual(row?.replace_hours ?? 0);
  },
);

test.each([
  ['grille_damage', 'front_bumper', 'R&R'],
  ['tyre_damage', 'front_fender_left', 'R&R'],
  ['liner_damage', 'front_fender_left', 'R&R'],
  ['rocker_damage', 'front_door_left', 'Rpr'],
])('a bent part of %s that the trade never repairs is replaced: %s, %s', (subtype, location, operation) => {
  const damage = { damage_id: 'a', type: 'panel_damage', subtype, location, severity: 'severe' };
  expect(workOf(assessed({ damages: [damage] }))[0]?.operation).toBe(operation);
});

test.each(['missing_part', 'misaligned_part', 'constructor', undefined])('%s is of the part itself', (word) =>
  expect(isUnlisted(word)).toBe(false),
);
