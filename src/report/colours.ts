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
const TO_CHECK_COLOUR = { fill: '#bfe9f5', text: '#1b2430' } as const;

/** Colours of a find by how it is shown. */
export const LOOK_COLOUR = { ...SEVERITY_COLOUR, to_check: TO_CHECK_COLOUR } as const;

/** Colours of undamaged parts on the plan. */
export const PLAN_BASE_COLOUR = {
  panel: '#f6f7f9',
  glass: '#dfe8f1',
  lamp: '#fdf6e3',
  trim: '#cfd5dc',
  tyre: '#4a525c',
  rim: '#d8dde3',
} as const satisfies Record<PlanShape['kind'], string>;
