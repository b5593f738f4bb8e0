import type { Damage, Photo } from '../../../src/contract/inspection.ts';
import { computeCoverage } from '../../../src/domain/grading/vehicle-coverage.ts';
import type { PartView } from '../../../src/domain/sight/part-coverage.ts';
import { createGrounds } from '../../../src/engine/inspect/grounds.ts';
import type { ResultContext } from '../../../src/engine/inspect/results.ts';
import { createPricer } from '../../../src/engine/pricer.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';

const TABLES = loadTables();

const SEEN = ['front_bumper', 'hood', 'windshield', 'headlight_left', 'headlight_right'] as const;
const SEEN_LEFT = ['front_fender_left', 'front_door_left', 'side_window_fl'] as const;
const well = { photo: 0, status: 'seen', reason: null, cmPerPixel: 0.2, distanceM: 2.3 } as const;
/** Parts that the photos of an example show: the front well, the left side in part, nothing of the right. */
const VIEWS: readonly PartView[] = [
  ...[...SEEN, ...SEEN_LEFT].map((part) => ({ ...well, part })),
  { ...well, part: 'rear_door_left', status: 'too_small', reason: 'far', cmPerPixel: 0.9, distanceM: 8 },
  { ...well, part: 'rear_bumper', status: 'not_seen', reason: 'blur' },
];

/** What a result of these photos and places to check rests on. */
export function exampleGrounds(
  photos: readonly Photo[],
  toCheck: readonly Damage[] = [],
  currency = 'USD',
): ResultContext {
  const covered = computeCoverage(photos.length > 0 ? VIEWS : []);
  return {
    ...createGrounds(covered, toCheck, photos),
    pricer: createPricer(TABLES, 'US_MIDWEST', currency),
    hiddenDamage: false,
    notAssessed: [],
    dropped: { not_on_vehicle: 0, implausible: 0, below_confidence: 0 },
    vehicles: 1,
  };
}

/** The same find as one that somebody should look at. */
export function toCheckOf(damage: Damage, number: number): Damage {
  return { ...damage, number, damage_id: damage.damage_id.replace(/^dmg_/, 'chk_'), confidence: 0.31 };
}
