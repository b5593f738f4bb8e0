import type { Damage, Photo } from '../../../src/contract/inspection.ts';
import { computeCoverage } from '../../../src/domain/grading/vehicle-coverage.ts';
import type { PartView } from '../../../src/domain/sight/part-coverage.ts';
import { createGrounds } from '../../../src/engine/inspect/grounds.ts';
import type { ResultContext } from '../../../src/engine/inspect/results.ts';
import { createPricer } from '../../../src/engine/pricer.ts';
import { loadTables } from '../../../src/pricing/tables/load.ts';

const TABLES = loadTables();

const view = (part: PartView['part'], over: Partial<PartView> = {}): PartView => ({
  part,
  photo: 0,
  status: 'seen',
  reason: null,
  cmPerPixel: 0.2,
  distanceM: 2.3,
  ...over,
});

/** Parts that the photos of an example show: the front well, the left side in part, nothing of the right. */
const VIEWS: readonly PartView[] = [
  view('front_bumper'),
  view('hood'),
  view('windshield'),
  view('headlight_left'),
  view('headlight_right'),
  view('front_fender_left'),
  view('front_door_left'),
  view('side_window_fl'),
  view('rear_door_left', { status: 'too_small', reason: 'far', cmPerPixel: 0.9, distanceM: 8 }),
  view('rear_bumper', { status: 'not_seen', reason: 'blur' }),
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
