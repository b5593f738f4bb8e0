import type { Add, Change, Decision, DrawnBox, FindingDecision, Stated } from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';

/**
 * The decisions of a review. Each function here returns a new list; findings are identified by id, additions by index.
 */
export type Decisions = readonly Decision[];

/** Returns the decision on a finding; undefined if there is none. */
export function findDecision(decisions: Decisions, id: string): Exclude<FindingDecision, Add> | undefined {
  return decisions.find(
    (one): one is Exclude<FindingDecision, Add> => 'damage_id' in one && one.damage_id === id,
  );
}

/** Returns the added boxes in order. */
export function listAdditions(decisions: Decisions): readonly Add[] {
  return decisions.filter((one) => one.decision === 'add');
}

/** Accepts or rejects a finding; findings merged into a rejected one are separated again. */
export function judge(decisions: Decisions, id: string, decision: 'accept' | 'reject'): Decisions {
  const others = removeDecisions(decisions, id);
  const judged: Decision = { decision, damage_id: id, ...copyNote(findDecision(decisions, id)) };
  return [...(decision === 'reject' ? separateMerged(others, id) : others), judged];
}

/** Returns the note on a decision. */
export function readNote(decision: Decision | undefined): string | undefined {
  return decision && 'note' in decision ? decision.note : undefined;
}

function copyNote(decision: Decision | undefined): { readonly note?: string } {
  const note = readNote(decision);
  return note === undefined ? {} : { note };
}

/** Sets the note on a decision; an empty text removes it. */
export function setNote(decisions: Decisions, of: Decision, text: string): Decisions {
  return decisions.map((one) => {
    if (one !== of) return one;
    const { note: _, ...others } = one as Change;
    return (text === '' ? others : { ...others, note: text }) as Decision;
  });
}

/** Resets the decision on a finding. */
export function clearDecision(decisions: Decisions, id: string): Decisions {
  return separateMerged(removeDecisions(decisions, id), id);
}

/** Changes a finding, keeping earlier changes of other fields. */
export function changeFinding(
  decisions: Decisions,
  id: string,
  stated: Stated & { readonly box?: DrawnBox; readonly image_index?: number },
): Decisions {
  const previous = findDecision(decisions, id);
  const base: Partial<Change> = previous?.decision === 'change' ? { ...previous } : copyNote(previous);
  if (invalidatesSubtype(stated)) delete base.subtype;
  const next: Change = { ...base, ...stated, decision: 'change', damage_id: id };
  return [...removeDecisions(decisions, id), next];
}

/** Returns true if the type or part changes, which invalidates the earlier subtype. */
const invalidatesSubtype = (stated: Stated) => stated.type !== undefined || stated.part !== undefined;

/** Adds a drawn box. */
export function addFinding(decisions: Decisions, addition: Omit<Add, 'decision'>): Decisions {
  return [...decisions, { decision: 'add', ...addition }];
}

/** Changes an addition; `into: undefined` separates it from its damage. */
export function changeAddition(decisions: Decisions, index: number, stated: Partial<Add>): Decisions {
  return mapAddition(decisions, index, (one) => {
    const next = { ...one, ...(invalidatesSubtype(stated) ? { subtype: undefined } : {}), ...stated };
    return [
      Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as unknown as Add,
    ];
  });
}

/** Removes an addition. */
export function removeAddition(decisions: Decisions, index: number): Decisions {
  return mapAddition(decisions, index, () => []);
}

/** Merges a finding into another one; a target to check becomes a damage. */
export function mergeFinding(decisions: Decisions, id: string, into: string): Decisions {
  return [
    ...removeDecisions(turnIntoDamage(decisions, into), id),
    { decision: 'merge', damage_id: id, into },
  ];
}

/** Attaches an addition to a finding as another photo of it; a finding to check becomes a damage. */
export function attachAddition(decisions: Decisions, index: number, into: string): Decisions {
  return changeAddition(turnIntoDamage(decisions, into), index, { into });
}

/** Turns a finding into a damage: no longer rejected, merged or only to check. */
function turnIntoDamage(decisions: Decisions, id: string): Decisions {
  const outcome = findDecision(decisions, id)?.decision;
  const base = outcome === 'reject' || outcome === 'merge' ? removeDecisions(decisions, id) : decisions;
  return isPlaceToCheckId(id) && findDecision(base, id) === undefined ? judge(base, id, 'accept') : base;
}

/** Accepts or rejects all undecided findings among the given ones. */
export function judgeAll(
  decisions: Decisions,
  ids: readonly string[],
  verdict: 'accept' | 'reject',
): Decisions {
  return ids
    .filter((id) => findDecision(decisions, id) === undefined)
    .reduce<Decisions>((list, id) => judge(list, id, verdict), decisions);
}

/** Returns true if a photo is marked as complete. */
export function isMarkedComplete(decisions: Decisions, imageIndex: number): boolean {
  return decisions.some((one) => one.decision === 'nothing_more' && one.image_index === imageIndex);
}

/** Marks a photo as complete or not. */
export function markComplete(decisions: Decisions, imageIndex: number, isComplete: boolean): Decisions {
  const others = decisions.filter(
    (one) => !(one.decision === 'nothing_more' && one.image_index === imageIndex),
  );
  return isComplete ? [...others, { decision: 'nothing_more', image_index: imageIndex }] : others;
}

/** Returns the price that the reviewer set for a part; undefined if none is set. */
export function findPrice(decisions: Decisions, line: string): number | undefined {
  return decisions.flatMap((one) => ('line' in one && one.line === line ? [one.cost] : []))[0];
}

/** Sets the price of a part; null removes it. */
export function setPrice(decisions: Decisions, line: string, cost: number | null): Decisions {
  const others = decisions.filter((one) => !('line' in one && one.line === line));
  return cost === null ? others : [...others, { decision: 'price', line, cost }];
}

/** Includes or excludes an expected operation; repeating the choice resets it. */
export function toggleOperation(decisions: Decisions, id: string, verdict: 'include' | 'exclude'): Decisions {
  const previous = decisions.find((one) => 'line_id' in one && one.line_id === id);
  const others = decisions.filter((one) => one !== previous);
  return previous?.decision === verdict ? others : [...others, { decision: verdict, line_id: id }];
}

function removeDecisions(decisions: Decisions, id: string): Decisions {
  return decisions.filter((one) => !('damage_id' in one && one.damage_id === id));
}

/** Separates the findings merged into this one. */
function separateMerged(decisions: Decisions, id: string): Decisions {
  return decisions.flatMap((one): Decision[] => {
    if (!('into' in one) || one.into !== id) return [one];
    if (one.decision === 'merge') return [];
    const { into: _, ...others } = one;
    return [others as Add];
  });
}

function mapAddition(decisions: Decisions, index: number, map: (one: Add) => readonly Add[]): Decisions {
  let additionIndex = -1;
  return decisions.flatMap((one): readonly Decision[] => {
    if (one.decision !== 'add') return [one];
    additionIndex++;
    return additionIndex === index ? map(one) : [one];
  });
}
