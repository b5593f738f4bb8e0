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

type Floor = readonly [rule: string, severity: Severity, applies: (claim: SeverityClaim) => boolean];

const isBroken = (claim: SeverityClaim) => claim.type === 'glass_damage' || claim.type === 'crack';
const isTempered = (part: PartName) => part === 'rear_window' || part.startsWith('side_window');

/** Minimum severities required by facts of the damage, whatever the caller states (assumed, each with its rule id). */
const FLOORS: readonly Floor[] = [
  ['severity.floor.frame', 'severe', (c) => c.subtype === 'frame_damage'],
  ['severity.floor.missing-part', 'moderate', (c) => c.subtype === 'missing_part'],
  ['severity.floor.tempered-glass', 'severe', (c) => isBroken(c) && isTempered(c.part)],
  [
    'severity.floor.windshield-large',
    'severe',
    (c) => isBroken(c) && c.part === 'windshield' && (c.sizeCm ?? 0) > 15,
  ],
  ['severity.floor.shattered', 'severe', (c) => c.type === 'glass_damage' && c.subtype === 'shattered_glass'],
  ['severity.floor.windshield-crack', 'moderate', (c) => c.type === 'crack' && c.part === 'windshield'],
  ['severity.floor.lamp-broken', 'moderate', (c) => isBroken(c) && isLamp(c.part)],
  ['severity.floor.safety-part', 'moderate', (c) => isSafetyPart(c.part)],
];

/** Default severity if the caller states neither a severity nor a score, whatever the size (assumed). */
const DEFAULT_SEVERITY = file.default_severity as Readonly<Record<DamageType, Severity>>;

/**
 * Grades a claim: the stated severity, raised by a score or a floor, never lowered. A score inside the resulting tier
 * is kept, and a lower one is raised to the tier's lower bound; without a score, the tier's middle is used. `trace` has
 * a row for every default and raise.
 */
export function gradeClaim(claim: SeverityClaim): GradedSeverity {
  const trace: RuleTrace[] = [];
  const explain = (rule: string, inputs: RuleTrace['inputs']) => trace.push({ rule, inputs });
  const { type, severity: stated, severityScore: statedScore } = claim;
  const initial = stated ?? (statedScore === undefined ? DEFAULT_SEVERITY[type] : toSeverity(statedScore));
  if (stated === undefined && statedScore === undefined)
    explain('severity.default', { type, severity: initial, group: findGroup(claim.part) });
  let score = statedScore ?? MIDDLE_SCORE[initial];
  let severity = chooseWorse(initial, toSeverity(score));
  if (severity !== initial)
    explain('severity.raised-by-score', { given: initial, severity_score: score, raised_to: severity });
  const lowest = LOWEST_SCORE[severity];
  if (score < lowest) {
    explain('severity.score-raised', { severity, given: score, raised_to: lowest });
    score = lowest;
  }
  for (const [rule, floor, applies] of FLOORS) {
    if (rankSeverity(floor) <= rankSeverity(severity) || !applies(claim)) continue;
    explain(rule, { given: severity, raised_to: floor });
    severity = floor;
    score = LOWEST_SCORE[severity];
  }
  return { severity, severityScore: score, trace };
}
