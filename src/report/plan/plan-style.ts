import type { PlanShape } from './shapes.ts';

/** Colours of the plan; `base` fills undamaged parts, `spacing` is in plan units. */
export const PLAN_STYLE = {
  base: {
    panel: '#f6f7f9',
    glass: '#dfe8f1',
    lamp: '#fdf6e3',
    trim: '#cfd5dc',
    tyre: '#4a525c',
    rim: '#d8dde3',
  } satisfies Record<PlanShape['kind'], string>,
  outline: '#6b7683',
  hatch: { colour: '#5a6675', spacing: 7 },
} as const;
