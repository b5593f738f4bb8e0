import type { DamageType, RuleTrace, Severity } from '../damage.ts';
import { findGroup, isLamp, isSafetyPart, type PartName } from '../parts.ts';
import file from './severity.json' with { type: 'json' };
import { chooseWorse, LOWEST_SCORE, MIDDLE_SCORE, rankSeverity, toSeverity } from './severity.ts';

/** A caller's description of a damage before the rules are applied. */
export interface SeverityClaim {
  readonly type: DamageType;
  readonly subtype?: string | undefined;
  readonly part: PartName;
  readonly severity?: Severity | undefined;
  /** 0 to 10. */
  readonly severityScore?: number | undefined;
  readonly sizeCm?: number | undefined;
}

interface GradedSeverity {
  readonly severity: Severity;
  readonly severityScore: number;
  readonly trace: readonly RuleTrace[];
}

interface Floor {
  readonly rule: string;
  readonly severity: Severity;
  readonly applies: (claim: SeverityClaim) => boolean;
}

const isBroken = (claim: SeverityClaim) => claim.type === 'glass_damage' || claim.type === 'crack';

/** Minimum severities required by facts of the damage, whatever the caller states (assumed, each with its rule id). */
const FLOORS: readonly Floor[] = [
  { rule: 'severity.floor.frame', severity: 'severe', applies: (c) => c.subtype === 'frame_damage' },
  { rule: 'severity.floor.missing-part', severity: 'moderate', applies: (c) => c.subtype === 'missing_part' },
  {
    rule: 'severity.floor.tempered-glass',
    severity: 'severe',
    applies: (c) => isBroken(c) && (c.part === 'rear_window' || c.part.startsWith('side_window')),
  },
  {
    rule: 'severity.floor.windshield-large',
    severity: 'severe',
    applies: (c) => isBroken(c) && c.part === 'windshield' && (c.sizeCm ?? 0) > 15,
  },
  {
    rule: 'severity.floor.shattered',
    severity: 'severe',
    applies: (c) => c.type === 'glass_damage' && c.subtype === 'shattered_glass',
  },
  {
    rule: 'severity.floor.windshield-crack',
    severity: 'moderate',
    applies: (c) => c.type === 'crack' && c.part === 'windshield',
  },
  {
    rule: 'severity.floor.lamp-broken',
    severity: 'moderate',
    applies: (c) => isBroken(c) && isLamp(c.part),
  },
  { rule: 'severity.floor.safety-part', severity: 'moderate', applies: (c) => isSafetyPart(c.part) },
];

/** Default severity if the caller states neither a severity nor a score, whatever the size (assumed). */
const DEFAULT_SEVERITY = file.default_severity as Readonly<Record<DamageType, Severity>>;

/**
 * Grades a claim: the stated severity, raised by a score or a floor, never lowered. A score inside the resulting tier
 * is kept, and a lower one is raised to the tier's lower bound; without a score, the tier's middle is used.
 */
export function gradeClaim(claim: SeverityClaim): GradedSeverity {
  const trace: RuleTrace[] = [];
  const initial =
    claim.severity ??
    (claim.severityScore === undefined ? DEFAULT_SEVERITY[claim.type] : toSeverity(claim.severityScore));
  if (claim.severity === undefined && claim.severityScore === undefined) {
    trace.push({
      rule: 'severity.default',
      inputs: { type: claim.type, severity: initial, group: findGroup(claim.part) },
    });
  }
  let score = Math.max(claim.severityScore ?? MIDDLE_SCORE[initial], LOWEST_SCORE[initial]);
  let severity = chooseWorse(initial, toSeverity(score));
  for (const floor of FLOORS) {
    if (rankSeverity(floor.severity) <= rankSeverity(severity) || !floor.applies(claim)) continue;
    trace.push({ rule: floor.rule, inputs: { given: severity, raised_to: floor.severity } });
    severity = floor.severity;
    score = LOWEST_SCORE[severity];
  }
  return { severity, severityScore: score, trace };
}
