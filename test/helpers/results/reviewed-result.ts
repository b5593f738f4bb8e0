import { loadTablesWith } from '../../../src/config/regions-file.ts';
import type { Damage, InspectionEnvelope } from '../../../src/contract/inspection.ts';
import type { Decision } from '../../../src/contract/review.ts';
import { createResults } from '../../../src/engine/inspect/results.ts';
import { createPricer } from '../../../src/engine/pricer.ts';
import { applyDecisions } from '../../../src/engine/review/apply.ts';
import { parseDecisions, readReviewable } from '../../../src/engine/review/decisions.ts';
import { makeScene } from '../../../src/engine/review/place.ts';
import { partGrid } from '../photos/part-grid.ts';
import { exampleGrounds } from './example-grounds.ts';

/** A left side of 1200 x 600 pixels: fender, two doors, quarter panel, wheels; cells of 100 x 100. */
const BODY = Array<string>(3).fill('.FFDDEEQQ...');
export const LEFT = partGrid('............', ...BODY, '.OODDEEOO...', '............');
export const PHOTOS = ['left.jpg', 'front_left.jpg'].map((url, index) => ({
  index,
  url,
  width: 1200,
  height: 600,
  format: 'jpeg' as const,
  bytes: 1,
  sha256: String(index),
  angle: 'left_side' as const,
  angle_source: 'request' as const,
  type: 'exterior' as const,
  analyzed: true,
  vehicle_share: 0.5,
  annotated_url: null,
  issues: [],
}));

export function finding(damage_id: string, number: number, more: Partial<Damage> = {}): Damage {
  const coordinates = { x: 320, y: 120, width: 100, height: 80, image_width: 1200, image_height: 600 };
  const evidence = [{ image_index: 0, image_url: 'left.jpg', coordinates, confidence: 0.8 }];
  return {
    damage_id,
    number,
    type: 'dent',
    severity: 'moderate',
    severity_score: 3.3,
    location: { part: 'front_door_left', side: 'left', coordinates },
    confidence: 0.8,
    image_url: 'left.jpg',
    annotated_url: null,
    estimated_repair: { min: 100, max: 200, estimated: 150, currency: 'USD', repair_type: 'panel_repair' },
    evidence,
    explain: [
      { rule: 'locate.mask_overlap', inputs: { part: 'front_door_left' } },
      { rule: 'severity.dent', inputs: { long_side_cm: 14, score: 3.3 } },
      { rule: 'option.dent-repair', inputs: {} },
    ],
    ...more,
  };
}

export const ONE = 'dmg_front_door_left_001';
export const TWO = 'dmg_front_door_left_002';
export const CHK = 'chk_rear_door_left_001';
export const CHECK = finding('chk_rear_door_left_001', 3, {
  type: 'scratch',
  confidence: 0.3,
  location: { ...finding('', 1).location, part: 'rear_door_left' },
});

export const pricer = createPricer(await loadTablesWith(undefined), 'US_MIDWEST', 'USD');
export const envelope = exampleEnvelope();

export const scenes = new Map(PHOTOS.map((photo) => [photo.index, makeScene(LEFT, photo)]));
export function review(decisions: readonly Decision[], with_ = scenes) {
  const reviewedAt = new Date('2026-01-31T12:00:00Z');
  return applyDecisions(envelope, parse(decisions), { pricer, scenes: with_, reviewedAt, reviewer: 'Ada' });
}
export const parse = (json: unknown) => parseDecisions(json, readReviewable(envelope), 'd.json');
export const damagesOf = (decisions: readonly Decision[]) => review(decisions).data.results?.damages ?? [];
export const BOX = { x: 520, y: 150, width: 60, height: 50 };

function exampleEnvelope(): InspectionEnvelope {
  const damages = [finding(ONE, 1), finding(TWO, 2, { severity_score: 4 })];
  const results = createResults(damages, [CHECK], exampleGrounds(PHOTOS, [CHECK]));
  return {
    status: 'success',
    data: {
      images: PHOTOS,
      vehicle_groups: [],
      results,
      settings: { sensitivity: 'default', min_confidence: null },
    },
    meta: { region: 'US_MIDWEST', currency: 'USD' },
  } as unknown as InspectionEnvelope;
}
