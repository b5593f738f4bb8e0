import type { Severity } from '../domain/damage.ts';
import type { PlanShape } from './plan/shapes.ts';

/** Fill and text colour per severity; each pair has a contrast of at least 4.5 : 1. */
export const SEVERITY_COLOUR = {
  minor: { fill: '#f2d35e', text: '#1b2430' },
  moderate: { fill: '#f09a3e', text: '#1b2430' },
  severe: { fill: '#d1382c', text: '#ffffff' },
  critical: { fill: '#7a1030', text: '#ffffff' },
} as const satisfies Record<Severity, { fill: string; text: string }>;

/** Fill and text colour of places to check: none of the severities', for nobody knows yet. */
export const TO_CHECK_COLOUR = { fill: '#bfe9f5', text: '#1b2430' } as const;

/** Bands of the score dial from 0 to 10 (contract decisions, "condition_score → word"), worst first. */
export const SCORE_BANDS = [
  { from: 0, to: 2.5, colour: '#7a1030' },
  { from: 2.5, to: 5, colour: '#d1382c' },
  { from: 5, to: 7, colour: '#f09a3e' },
  { from: 7, to: 9, colour: '#a8c256' },
  { from: 9, to: 10, colour: '#4f9d57' },
] as const;

/** Colours of undamaged parts on the plan. */
export const PLAN_BASE_COLOUR = {
  panel: '#f6f7f9',
  glass: '#dfe8f1',
  lamp: '#fdf6e3',
  trim: '#cfd5dc',
  tyre: '#4a525c',
  rim: '#d8dde3',
} as const satisfies Record<PlanShape['kind'], string>;
