import { SEVERITIES, type Severity } from '../../domain/damage.ts';
import { chooseWorse, HIGHEST_SCORE, rankSeverity, toSeverity } from '../../domain/grading/severity.ts';
import { findGroup, isSafetyPart } from '../../domain/parts.ts';
import { roundTo } from '../../lib/numbers.ts';
import { isShapeDamage, type PricingDamage } from '../option/damage.ts';
import type { PricedOption } from '../option/price.ts';
import type { Target } from '../option/target.ts';

export type Impact = 'none' | Severity;

const lower = (severity: Severity): Impact => SEVERITIES[rankSeverity(severity) - 1] ?? 'none';

/**
 * Rates the structural impact: the damage's severity for structural repairs, one tier lower for bent welded panels, two
 * lower in the crush zone, else none (assumed).
 */
export function judgeStructuralImpact(damage: PricingDamage, target: Target, option: PricedOption): Impact {
  if (option.plan.repairType === 'structural' || damage.subtype === 'frame_damage') return damage.severity;
  if (!isShapeDamage(damage)) return 'none';
  if (target.facts.welded) return lower(damage.severity);
  const oneTierLower = target.facts.crush_zone ? lower(damage.severity) : 'none';
  return oneTierLower === 'none' ? 'none' : lower(oneTierLower);
}

/** Rates the cosmetic impact: the damage's severity, at most severe; none for mechanical parts, which are hidden. */
export function judgeCosmeticImpact(damage: PricingDamage): 'none' | 'minor' | 'moderate' | 'severe' {
  if (findGroup(damage.part) === 'mechanical') return 'none';
  return damage.severity === 'critical' ? 'severe' : damage.severity;
}

/**
 * Rates the safety impact: the damage's severity for safety parts and structural loss, one tier lower for glass and
 * lamps; minor for severe or worse damage in the crush zone.
 */
export function judgeSafetyImpact(damage: PricingDamage, target: Target, structural: Impact): Impact {
  if (isSafetyPart(target.name)) return damage.severity;
  if (structural === damage.severity) return structural;
  if (findGroup(target.part) === 'glass_and_lights' && target.component === undefined)
    return lower(damage.severity);
  if (target.facts.crush_zone && rankSeverity(damage.severity) >= rankSeverity('severe')) return 'minor';
  return 'none';
}

/**
 * Computes overall severity and score. The severity is the highest tier present. The score is the highest score plus a
 * tenth of every other score, kept within that tier also when rounded, so adding a damage never lowers it.
 */
export function computeOverallSeverity(damages: readonly PricingDamage[]) {
  const severity = damages.reduce<Severity>((worst, damage) => chooseWorse(worst, damage.severity), 'minor');
  const [highest = 0, ...rest] = damages.map((damage) => damage.severityScore).sort((a, b) => b - a);
  const raised = rest.reduce((sum, score) => sum + score / 10, highest);
  const kept = Math.max(highest, Math.min(HIGHEST_SCORE[severity], raised));
  const score = roundTo(kept, 2);
  return { severity, score: toSeverity(score) === severity ? score : Math.floor(kept * 100) / 100 };
}
