import type { PartName } from '../parts.ts';

interface HiddenRisk {
  readonly component: string;
  readonly probability: number;
  readonly basis: string;
}

/**
 * How often a hidden item turned up on front-end jobs of one public sample of insurer-paid estimates (n = 68,
 * Enrilefty/haggler catalogue). Rear figures are the front ones of the like component, marked assumed.
 */
const FRONT: readonly (readonly [component: string, probability: number])[] = [
  ['fender_liner', 0.69],
  ['wheel_alignment', 0.44],
  ['front_impact_bar', 0.31],
  ['radiator_support', 0.26],
  ['frame_pull', 0.26],
  ['air_conditioning', 0.22],
];
const REAR: readonly (readonly [component: string, probability: number])[] = [
  ['rear_impact_bar', 0.31],
  ['rear_body_panel', 0.26],
  ['frame_pull', 0.26],
];
const FRONT_PARTS: ReadonlySet<string> = new Set([
  'front_bumper',
  'hood',
  'headlight_left',
  'headlight_right',
  'front_fender_left',
  'front_fender_right',
]);
const REAR_PARTS: ReadonlySet<string> = new Set([
  'rear_bumper',
  'trunk_lid',
  'taillight_left',
  'taillight_right',
  'quarter_panel_left',
  'quarter_panel_right',
]);

/** Returns components that may be damaged out of sight, by where the serious (score 5 or more) visible damage is. */
export function listHiddenRisks(
  damages: readonly { readonly part: PartName; readonly severityScore: number }[],
): HiddenRisk[] {
  const grave = damages.filter((damage) => damage.severityScore >= 5);
  const risks: HiddenRisk[] = [];
  if (grave.some((damage) => FRONT_PARTS.has(damage.part))) {
    risks.push(
      ...FRONT.map((row) => makeRisk(row, 'share of front-end collision jobs with this item (n = 68)')),
    );
  }
  if (grave.some((damage) => REAR_PARTS.has(damage.part))) {
    const basis = 'assumed from the share of front-end jobs with a similar item (n = 68)';
    risks.push(
      ...REAR.filter(([component]) => !risks.some((r) => r.component === component)).map((row) =>
        makeRisk(row, basis),
      ),
    );
  }
  return risks;
}

function makeRisk([component, probability]: readonly [string, number], basis: string): HiddenRisk {
  return { component, probability, basis };
}
