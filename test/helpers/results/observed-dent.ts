import type { Observation } from '../../../src/domain/sight/observation.ts';

/** A certain dent in the middle of a door. */
export const DENT: Observation = {
  photo: 0,
  label: 'dent',
  isCertain: true,
  type: 'dent',
  part: 'front_door_left',
  box: { x: 100, y: 100, width: 100, height: 100 },
  confidence: 0.8,
  score: 0.6,
  severityScore: 3,
  position: { x: 0.5, y: 0.5 },
  longSideCm: 10,
  uncertainty: null,
  explain: [],
};
