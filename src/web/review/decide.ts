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
  const rest = removeDecisions(decisions, id);
  const judged: Decision = { decision, damage_id: id, ...keepNote(findDecision(decisions, id)) };
  return [...(decision === 'reject' ? releaseMerged(rest, id) : rest), judged];
}

/** Returns the note on a decision. */
export function readNote(decision: Decision | undefined): string | undefined {
  return decision && 'note' in decision ? decision.note : undefined;
}

function keepNote(decision: Decision | undefined): { readonly note?: string } {
  const note = readNote(decision);
  return note === undefined ? {} : { note };
}

/** Sets the note on a decision; an empty text removes it. */
export function remark(decisions: Decisions, of: Decision, text: string): Decisions {
  return decisions.map((one) => {
    if (one !== of) return one;
    const { note: _, ...rest } = one as Change;
    return (text === '' ? rest : { ...rest, note: text }) as Decision;
  });
}

/** Resets the decision on a finding. */
export function clear(decisions: Decisions, id: string): Decisions {
  return releaseMerged(removeDecisions(decisions, id), id);
}

/** Changes a finding, keeping earlier changes of other fields. */
export function change(
  decisions: Decisions,
  id: string,
  stated: Stated & { readonly box?: DrawnBox; readonly image_index?: number },
): Decisions {
  const before = findDecision(decisions, id);
  const kept: Partial<Change> = before?.decision === 'change' ? { ...before } : keepNote(before);
  if (renames(stated)) delete kept.subtype;
  const next: Change = { ...kept, ...stated, decision: 'change', damage_id: id };
  return [...removeDecisions(decisions, id), next];
}

/** Returns true if the type or part changes, which invalidates the earlier subtype. */
const renames = (stated: Stated) => stated.type !== undefined || stated.part !== undefined;

/** Adds a drawn box. */
export function add(decisions: Decisions, addition: Omit<Add, 'decision'>): Decisions {
  return [...decisions, { decision: 'add', ...addition }];
}

/** Changes an addition; `into: undefined` separates it from its damage. */
export function changeAddition(decisions: Decisions, index: number, stated: Partial<Add>): Decisions {
  return mapAddition(decisions, index, (one) => {
    const next = { ...one, ...(renames(stated) ? { subtype: undefined } : {}), ...stated };
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
export function merge(decisions: Decisions, id: string, into: string): Decisions {
  return [...removeDecisions(keepAsDamage(decisions, into), id), { decision: 'merge', damage_id: id, into }];
}

/** Attaches an addition to a finding as another photo of it; a finding to check becomes a damage. */
export function attachAddition(decisions: Decisions, index: number, into: string): Decisions {
  return changeAddition(keepAsDamage(decisions, into), index, { into });
}

/** Turns a finding into a damage: no longer rejected, merged or only to check. */
function keepAsDamage(decisions: Decisions, id: string): Decisions {
  const fate = findDecision(decisions, id)?.decision;
  const kept = fate === 'reject' || fate === 'merge' ? removeDecisions(decisions, id) : decisions;
  return isPlaceToCheckId(id) && findDecision(kept, id) === undefined ? judge(kept, id, 'accept') : kept;
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
export function isTicked(decisions: Decisions, imageIndex: number): boolean {
  return decisions.some((one) => one.decision === 'nothing_more' && one.image_index === imageIndex);
}

/** Marks a photo as complete or not. */
export function tick(decisions: Decisions, imageIndex: number, ticked: boolean): Decisions {
  const rest = decisions.filter(
    (one) => !(one.decision === 'nothing_more' && one.image_index === imageIndex),
  );
  return ticked ? [...rest, { decision: 'nothing_more', image_index: imageIndex }] : rest;
}

/** Returns the price that the reviewer set for a part; undefined if none is set. */
export function findPrice(decisions: Decisions, line: string): number | undefined {
  return decisions.flatMap((one) => ('line' in one && one.line === line ? [one.cost] : []))[0];
}

/** Sets the price of a part; null removes it. */
export function price(decisions: Decisions, line: string, cost: number | null): Decisions {
  const rest = decisions.filter((one) => !('line' in one && one.line === line));
  return cost === null ? rest : [...rest, { decision: 'price', line, cost }];
}

/** Includes or excludes an expected operation; repeating the choice resets it. */
export function pickOperation(decisions: Decisions, id: string, verdict: 'include' | 'exclude'): Decisions {
  const before = decisions.find((one) => 'line_id' in one && one.line_id === id);
  const rest = decisions.filter((one) => one !== before);
  return before?.decision === verdict ? rest : [...rest, { decision: verdict, line_id: id }];
}

function removeDecisions(decisions: Decisions, id: string): Decisions {
  return decisions.filter((one) => !('damage_id' in one && one.damage_id === id));
}

/** Separates the findings merged into this one. */
function releaseMerged(decisions: Decisions, id: string): Decisions {
  return decisions.flatMap((one): Decision[] => {
    if (!('into' in one) || one.into !== id) return [one];
    if (one.decision === 'merge') return [];
    const { into: _, ...rest } = one;
    return [rest as Add];
  });
}

function mapAddition(decisions: Decisions, index: number, map: (one: Add) => readonly Add[]): Decisions {
  let passed = -1;
  return decisions.flatMap((one): readonly Decision[] => {
    if (one.decision !== 'add') return [one];
    passed++;
    return passed === index ? map(one) : [one];
  });
}
