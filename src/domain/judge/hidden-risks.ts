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
const FRONT_FREQUENCIES = {
  fender_liner: 0.69,
  wheel_alignment: 0.44,
  front_impact_bar: 0.31,
  radiator_support: 0.26,
  frame_pull: 0.26,
  air_conditioning: 0.22,
} as const;
/** Rear components are assumed to be as frequent as the corresponding front ones. */
const REAR_FREQUENCIES = {
  rear_impact_bar: FRONT_FREQUENCIES.front_impact_bar,
  rear_body_panel: FRONT_FREQUENCIES.radiator_support,
  frame_pull: FRONT_FREQUENCIES.frame_pull,
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

/** Minimum score of visible damage that suggests more behind it. */
const MIN_SERIOUS_SCORE = 5;

/** Lists components that may have hidden damage, by the location of serious visible damage. */
export function listHiddenRisks(
  damages: readonly { readonly part: PartName; readonly severityScore: number }[],
): HiddenRisk[] {
  const seriousDamages = damages.filter(({ severityScore }) => severityScore >= MIN_SERIOUS_SCORE);
  const frontRisks = seriousDamages.some(({ part }) => FRONT_PARTS.has(part))
    ? listRisks(FRONT_FREQUENCIES, 'share of front-end collision jobs with this item (n = 68)')
    : [];
  const rearRisks = seriousDamages.some(({ part }) => REAR_PARTS.has(part))
    ? listRisks(REAR_FREQUENCIES, 'assumed from the share of front-end jobs with a similar item (n = 68)')
    : [];
  const frontComponents = new Set(frontRisks.map(({ component }) => component));
  return [...frontRisks, ...rearRisks.filter(({ component }) => !frontComponents.has(component))];
}

function listRisks(frequencies: Readonly<Record<string, number>>, basis: string): HiddenRisk[] {
  return Object.entries(frequencies).map(([component, probability]) => ({ component, probability, basis }));
}
