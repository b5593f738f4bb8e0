import type { PartName } from '../parts.ts';

interface HiddenRisk {
  readonly component: string;
  readonly probability: number;
  readonly basis: string;
}

/**
 * Frequency of hidden items on front-end jobs in one public sample of insurer-paid estimates (n = 68, Enrilefty/haggler
 * catalogue).
 */
const FRONT = {
  fender_liner: 0.69,
  wheel_alignment: 0.44,
  front_impact_bar: 0.31,
  radiator_support: 0.26,
  frame_pull: 0.26,
  air_conditioning: 0.22,
} as const;
/** At the rear, each is assumed as frequent as the corresponding front component. */
const REAR = {
  rear_impact_bar: FRONT.front_impact_bar,
  rear_body_panel: FRONT.radiator_support,
  frame_pull: FRONT.frame_pull,
} as const;
const FRONT_PARTS: ReadonlySet<PartName> = new Set([
  'front_bumper',
  'hood',
  'headlight_left',
  'headlight_right',
  'front_fender_left',
  'front_fender_right',
]);
const REAR_PARTS: ReadonlySet<PartName> = new Set([
  'rear_bumper',
  'trunk_lid',
  'taillight_left',
  'taillight_right',
  'quarter_panel_left',
  'quarter_panel_right',
]);

/** Minimum score of visible damage that may hide more behind it. */
const SERIOUS_SCORE = 5;

/** Lists components that may have hidden damage, by the location of serious visible damage. */
export function listHiddenRisks(
  damages: readonly { readonly part: PartName; readonly severityScore: number }[],
): HiddenRisk[] {
  const grave = damages.filter(({ severityScore }) => severityScore >= SERIOUS_SCORE);
  const front = grave.some(({ part }) => FRONT_PARTS.has(part))
    ? listRisks(FRONT, 'share of front-end collision jobs with this item (n = 68)')
    : [];
  const rear = grave.some(({ part }) => REAR_PARTS.has(part))
    ? listRisks(REAR, 'assumed from the share of front-end jobs with a similar item (n = 68)')
    : [];
  const known = new Set(front.map(({ component }) => component));
  return [...front, ...rear.filter(({ component }) => !known.has(component))];
}

function listRisks(frequencies: Readonly<Record<string, number>>, basis: string): HiddenRisk[] {
  return Object.entries(frequencies).map(([component, probability]) => ({ component, probability, basis }));
}
