import type { PlanShape } from './plan/shapes.ts';

/** Fill colours of undamaged parts on the plan, by shape kind. */
export const PLAN_BASE_COLOUR = {
  panel: '#f6f7f9',
  glass: '#dfe8f1',
  lamp: '#fdf6e3',
  trim: '#cfd5dc',
  tyre: '#4a525c',
  rim: '#d8dde3',
} as const satisfies Record<PlanShape['kind'], string>;
