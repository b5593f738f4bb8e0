import type { LabelledDamage, LabelledPhoto } from '../../../../../models/evaluate/finds/labelled-photos.ts';
import type { SeenPhoto } from '../../../../../models/evaluate/finds/measure-finds.ts';
import { partGrid } from '../../../../helpers/photos/part-grid.ts';

export const box = (x: number, width = 10, height = 10) => ({ x, y: 0, width, height });
export const damage = (at: number, more: Partial<LabelledDamage> = {}): LabelledDamage => ({
  type: 'scratch',
  severity: 'minor',
  part: 'front_door_left',
  box: box(at),
  sure: true,
  vehicleDamage: undefined,
  ...more,
});
export const photo = (damages: LabelledDamage[], more: Partial<LabelledPhoto> = {}): LabelledPhoto => ({
  file: 'a.jpg',
  size: { width: 1000, height: 100 },
  isCloseUp: false,
  clean: damages.length === 0,
  damages,
  vehicle: undefined,
  group: 'a',
  ...more,
});
export const find = (at: number, more: object = {}) => ({
  type: 'scratch' as const,
  part: 'front_door_left',
  box: box(at),
  ...more,
});

/** States every detection as a scratch of a door. */
export const understand = (
  sighting: { detections: readonly { box: object; confidence: number }[] },
  { index }: { index: number },
  limits: { certain: number },
) =>
  sighting.detections.map(
    (one) =>
      ({
        ...find(0),
        ...one,
        photo: index,
        isCertain: one.confidence >= limits.certain,
        severityScore: 1,
        place: null,
        longSideCm: 9,
        explain: [],
      }) as never,
  );
export const seen = (own: LabelledPhoto, ...found: [at: number, confidence: number][]): SeenPhoto => ({
  photo: own,
  detections: found.map(([at, confidence]) => ({
    label: 'scratch',
    box: box(at),
    confidence,
    score: confidence,
  })),
  parts: partGrid('.'),
  presence: undefined,
});
