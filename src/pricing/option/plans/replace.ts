import { isSurface } from '../damage.ts';
import type { Plan, Reason, RepairMethod } from '../repair-plan.ts';
import { isGlass, isMetalPanel, type Target } from '../target.ts';
import type { Job } from './make-plan.ts';
import { NEW_PART_SOURCES, planNewPart } from './new-part.ts';

function chooseReplacement(target: Target): RepairMethod {
  if (target.component !== undefined) return 'component_replacement';
  if (isGlass(target)) return 'glass_replacement';
  if (target.facts.kind === 'lamp') return 'lamp_replacement';
  if (target.facts.kind === 'mechanical') return 'mechanical_replacement';
  return target.name.endsWith('bumper') ? 'bumper_replacement' : 'panel_replacement';
}

/** Returns why a new part is inadequate; undefined if it is adequate. */
function findReason({ damages, target, isMissing }: Job): Reason | undefined {
  return isMetalPanel(target) && !isMissing && damages.every(isSurface) ? 'surface_only' : undefined;
}

/** Returns why sectioning is inadequate where a new part is adequate. */
function findSectionReason({ ctx, worstScore, isMissing }: Job): Reason | undefined {
  if (isMissing) return 'part_missing';
  return worstScore >= ctx.tables.operations.structural.from_score ? 'beyond_section' : undefined;
}

/** Lists the replacement plans of a part: OEM, aftermarket, recycled, and sectioning for a panel with section hours. */
export function listReplacementPlans(job: Job): Plan[] {
  const { target } = job;
  const method = chooseReplacement(target);
  const inadequate = findReason(job);
  const section = {
    method: 'section_replacement',
    inadequate: inadequate ?? findSectionReason(job),
  } as const;
  return [
    ...(target.facts.section_hours > 0 ? planNewPart(job, section) : []),
    ...NEW_PART_SOURCES.flatMap((source) => planNewPart(job, { method, source, inadequate })),
  ];
}
