import type { Add, Change, Decision, DrawnBox, Said } from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';

/**
 * Decisions as the page changes them: each function returns a new list. Findings are named by id, additions by turn.
 */
export type Decisions = readonly Decision[];

/** Returns the decision on a finding, if there is one. */
export function findDecision(decisions: Decisions, id: string): Decision | undefined {
  return decisions.find((one) => 'damage_id' in one && one.damage_id === id);
}

/** Returns the additions, in their order. */
export function listAdditions(decisions: Decisions): readonly Add[] {
  return decisions.filter((one) => one.decision === 'add');
}

/**
 * Returns the decisions with a finding accepted or rejected; what was to be merged into a rejected one stays by itself.
 */
export function judge(decisions: Decisions, id: string, decision: 'accept' | 'reject'): Decisions {
  const rest = removeDecisions(decisions, id);
  const judged: Decision = { decision, damage_id: id, ...keepNote(findDecision(decisions, id)) };
  return [...(decision === 'reject' ? releaseMerged(rest, id) : rest), judged];
}

/** Returns what was remarked on a decision. */
export function readNote(decision: Decision | undefined): string | undefined {
  return decision && 'note' in decision ? decision.note : undefined;
}

function keepNote(decision: Decision | undefined): { readonly note?: string } {
  const note = readNote(decision);
  return note === undefined ? {} : { note };
}

/** Returns the decisions with a remark on one of them; an empty one takes it away. */
export function remark(decisions: Decisions, of: Decision, text: string): Decisions {
  return decisions.map((one) => {
    if (one !== of) return one;
    const { note: _, ...rest } = one as Change;
    return (text === '' ? rest : { ...rest, note: text }) as Decision;
  });
}

/** Returns the decisions with a finding undecided again. */
export function clear(decisions: Decisions, id: string): Decisions {
  return releaseMerged(removeDecisions(decisions, id), id);
}

/** Returns the decisions with a finding changed; earlier changes that are not repeated stay. */
export function change(
  decisions: Decisions,
  id: string,
  said: Said & { readonly box?: DrawnBox; readonly image_index?: number },
): Decisions {
  const before = findDecision(decisions, id);
  const kept: Partial<Change> = before?.decision === 'change' ? { ...before } : keepNote(before);
  if (renames(said)) delete kept.subtype;
  const next: Change = { ...kept, ...said, decision: 'change', damage_id: id };
  return [...removeDecisions(decisions, id), next];
}

/** Returns whether another type or part is said, after which a finer word of before no longer holds. */
const renames = (said: Said) => said.type !== undefined || said.part !== undefined;

/** Returns the decisions with a box drawn. */
export function add(decisions: Decisions, addition: Omit<Add, 'decision'>): Decisions {
  return [...decisions, { decision: 'add', ...addition }];
}

/** Returns the decisions with an addition changed; `into: undefined` takes it out of the damage it belonged to. */
export function changeAddition(decisions: Decisions, turn: number, said: Partial<Add>): Decisions {
  return mapAddition(decisions, turn, (one) => {
    const next = { ...one, ...(renames(said) ? { subtype: undefined } : {}), ...said };
    return [
      Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as unknown as Add,
    ];
  });
}

/** Returns the decisions without an addition. */
export function removeAddition(decisions: Decisions, turn: number): Decisions {
  return mapAddition(decisions, turn, () => []);
}

/**
 * Returns the decisions with two findings as one damage; the one merged into stays, or becomes a damage if it was to
 * check.
 */
export function merge(decisions: Decisions, id: string, into: string): Decisions {
  return [...removeDecisions(keepAsDamage(decisions, into), id), { decision: 'merge', damage_id: id, into }];
}

/** Returns the decisions with an addition as a further photo of a finding, which stays or becomes a damage. */
export function attachAddition(decisions: Decisions, turn: number, into: string): Decisions {
  return changeAddition(keepAsDamage(decisions, into), turn, { into });
}

/**
 * Returns the decisions with a finding as a damage in the end: no longer rejected or merged, and no longer only to
 * check.
 */
function keepAsDamage(decisions: Decisions, id: string): Decisions {
  const fate = findDecision(decisions, id)?.decision;
  const kept = fate === 'reject' || fate === 'merge' ? removeDecisions(decisions, id) : decisions;
  return isPlaceToCheckId(id) && findDecision(kept, id) === undefined ? judge(kept, id, 'accept') : kept;
}

/** Returns the decisions with all of these findings accepted or rejected that nobody decided on. */
export function judgeAll(
  decisions: Decisions,
  ids: readonly string[],
  verdict: 'accept' | 'reject',
): Decisions {
  return ids
    .filter((id) => findDecision(decisions, id) === undefined)
    .reduce<Decisions>((list, id) => judge(list, id, verdict), decisions);
}

/** Returns whether a photo is ticked as having nothing more. */
export function isTicked(decisions: Decisions, imageIndex: number): boolean {
  return decisions.some((one) => one.decision === 'nothing_more' && one.image_index === imageIndex);
}

/** Returns the decisions with a photo ticked, or no longer ticked. */
export function tick(decisions: Decisions, imageIndex: number, ticked: boolean): Decisions {
  const rest = decisions.filter(
    (one) => !(one.decision === 'nothing_more' && one.image_index === imageIndex),
  );
  return ticked ? [...rest, { decision: 'nothing_more', image_index: imageIndex }] : rest;
}

/** Returns the price that a person set for the repair of a part; undefined where none is set. */
export function findPrice(decisions: Decisions, line: string): number | undefined {
  return decisions.flatMap((one) => ('line' in one && one.line === line ? [one.cost] : []))[0];
}

/** Returns the decisions with the price of a part; without it where `cost` is null. */
export function price(decisions: Decisions, line: string, cost: number | null): Decisions {
  const rest = decisions.filter((one) => !('line' in one && one.line === line));
  return cost === null ? rest : [...rest, { decision: 'price', line, cost }];
}

/** Returns the decisions with an expected operation included or excluded; open again where it was so already. */
export function pickOperation(decisions: Decisions, id: string, verdict: 'include' | 'exclude'): Decisions {
  const before = decisions.find((one) => 'line_id' in one && one.line_id === id);
  const rest = decisions.filter((one) => one !== before);
  return before?.decision === verdict ? rest : [...rest, { decision: verdict, line_id: id }];
}

function removeDecisions(decisions: Decisions, id: string): Decisions {
  return decisions.filter((one) => !('damage_id' in one && one.damage_id === id));
}

/** Returns the decisions with nothing merged into this finding any more. */
function releaseMerged(decisions: Decisions, id: string): Decisions {
  return decisions.flatMap((one): Decision[] => {
    if (!('into' in one) || one.into !== id) return [one];
    if (one.decision === 'merge') return [];
    const { into: _, ...rest } = one;
    return [rest as Add];
  });
}

function mapAddition(decisions: Decisions, turn: number, map: (one: Add) => readonly Add[]): Decisions {
  let passed = -1;
  return decisions.flatMap((one): readonly Decision[] => {
    if (one.decision !== 'add') return [one];
    passed++;
    return passed === turn ? map(one) : [one];
  });
}
