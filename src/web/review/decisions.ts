import type { VisualInspection } from '../../contract/inspection.ts';
import type { Add, Change, Correction, Decision, FindingDecision, Stated } from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';
import { findVehicle } from '../../domain/vehicle-photos.ts';

/** The decisions of a review. Functions return a new list; findings are named by id, additions by index. */
export type Decisions = readonly Decision[];

export type Verdict = 'accept' | 'reject';
type Groups = VisualInspection['vehicle_groups'];

type Judgment = Exclude<FindingDecision, Add>;

export const findDecision = (decisions: Decisions, id: string): Judgment | undefined =>
  decisions.find((one): one is Judgment => 'damage_id' in one && one.damage_id === id);

export const listAdditions = (decisions: Decisions): readonly Add[] =>
  decisions.filter((one) => one.decision === 'add');

/**
 * Accepts or rejects a finding. Its corrections survive both: they apply once it is accepted, and are kept while it is
 * rejected. Accepting a merged finding leaves it merged; findings merged into a rejected one are separated again.
 */
export function judge(decisions: Decisions, id: string, verdict: Verdict): Decisions {
  const previous = findDecision(decisions, id);
  const others = removeFinding(decisions, id);
  if (verdict === 'reject')
    return [
      ...separateMerged(others, id),
      { ...keepCorrection(previous), decision: 'reject', damage_id: id },
    ];
  if (previous?.decision === 'change' || previous?.decision === 'merge') return decisions;
  return [...others, confirm(id, previous)];
}

/** Corrections and note of a finding, which survive a verdict on it. */
type Kept = Correction & { readonly note?: string };

function keepCorrection(previous: FindingDecision | undefined): Kept {
  if (previous === undefined) return {};
  const { decision: _, damage_id: __, into: ___, ...kept } = previous as Kept & Record<string, unknown>;
  return kept;
}

/** Returns the decision that makes a finding a damage: changed if it was corrected before, otherwise accepted. */
function confirm(id: string, previous: FindingDecision | undefined): Decision {
  const { note, ...correction } = keepCorrection(previous);
  const decision = Object.keys(correction).length > 0 ? 'change' : 'accept';
  return { ...correction, decision, damage_id: id, ...(note === undefined ? {} : { note }) } as Decision;
}

export const readNote = (decision: Decision): string | undefined =>
  'note' in decision ? decision.note : undefined;

/** Sets the note on a decision; an empty text removes it. */
export const setNote = (decisions: Decisions, of: Decision, text: string): Decisions =>
  decisions.map((one) => {
    if (one !== of) return one;
    const { note: _, ...others } = one as Change;
    return (text === '' ? others : { ...others, note: text }) as Decision;
  });

/** Removes everything stated about a finding, which is then as found and undecided again. */
export const clearDecision = (decisions: Decisions, id: string): Decisions =>
  separateMerged(removeFinding(decisions, id), id);

/** Changes a finding, keeping earlier changes of other fields and of its boxes in other photos. */
export function changeFinding(decisions: Decisions, id: string, stated: Correction): Decisions {
  const base: Mutable<Kept> = { ...keepCorrection(findDecision(decisions, id)) };
  if (invalidatesSubtype(stated)) delete base.subtype;
  const { box, boxes = [], image_index } = base;
  if (stated.box && (box || boxes.length > 0)) {
    const all = [...boxes, ...(box && image_index !== undefined ? [{ box, image_index }] : [])];
    const others = all.filter((one) => one.image_index !== stated.image_index);
    if (others.length > 0) base.boxes = others;
    else delete base.boxes;
  }
  const next: Change = { ...base, ...stated, decision: 'change', damage_id: id };
  return [...removeFinding(decisions, id), next];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns true if the type or part changes, which invalidates the earlier subtype. */
const invalidatesSubtype = (stated: Stated) => stated.type !== undefined || stated.part !== undefined;

export const addFinding = (decisions: Decisions, addition: Omit<Add, 'decision'>): Decisions => [
  ...decisions,
  { decision: 'add', ...addition },
];

/** Changes an addition; without effect if there is none of this index. */
export function changeAddition(decisions: Decisions, index: number, stated: Partial<Add>): Decisions {
  const addition = listAdditions(decisions)[index];
  return decisions.map((one) => {
    if (one.decision !== 'add' || one !== addition) return one;
    const { subtype: _, ...others } = one;
    return { ...(invalidatesSubtype(stated) ? others : one), ...stated };
  });
}

export const removeAddition = (decisions: Decisions, index: number): Decisions =>
  decisions.filter((one) => one !== listAdditions(decisions)[index]);

/** Merges a finding, as corrected, into another one; a target to check becomes a damage. */
export function mergeFinding(decisions: Decisions, id: string, into: string): Decisions {
  const kept = keepCorrection(findDecision(decisions, id));
  return [
    ...removeFinding(turnIntoDamage(decisions, into), id),
    { ...kept, decision: 'merge', damage_id: id, into },
  ];
}

/** Attaches an addition to a finding as another photo of it; a finding to check becomes a damage. */
export const attachAddition = (decisions: Decisions, index: number, into: string): Decisions =>
  changeAddition(turnIntoDamage(decisions, into), index, { into });

/** Makes a finding a damage in its own right: no longer rejected, merged or only to check. */
function turnIntoDamage(decisions: Decisions, id: string): Decisions {
  const previous = findDecision(decisions, id);
  const isDamage = previous
    ? previous.decision === 'accept' || previous.decision === 'change'
    : !isPlaceToCheckId(id);
  return isDamage ? decisions : [...removeFinding(decisions, id), confirm(id, previous)];
}

/** Returns one decision per subject on which two lists differ: that of the second list, else that of the first. */
export const listChangedSubjects = (before: Decisions, after: Decisions): Decisions => [
  ...findChanged(bySubject(before), bySubject(after)).values(),
];

/**
 * Merges this page's changes into decisions that another page has stored in the meantime. If both changed the same
 * subject, the other page's decision wins.
 * @returns the merged decisions, and this page's overruled ones
 */
export function joinDecisions(base: Decisions, own: Decisions, stored: Decisions) {
  const [was, mine, other] = [bySubject(base), bySubject(own), bySubject(stored)];
  const [theirs, differing] = [findChanged(was, other), findChanged(mine, other)];
  const changed = [...findChanged(was, mine)].filter(([subject]) => differing.has(subject));
  const applied = new Map(changed.filter(([subject]) => !theirs.has(subject)));
  return {
    joined: [
      ...[...other].flatMap(([subject, one]) => (applied.has(subject) ? [] : [one])),
      ...[...mine].flatMap(([subject, one]) => (applied.has(subject) ? [one] : [])),
    ],
    lost: changed.flatMap(([subject, one]) => (theirs.has(subject) ? [one] : [])),
  };
}

type BySubject = ReadonlyMap<string, Decision>;

const findChanged = (old: BySubject, now: BySubject): BySubject =>
  new Map([...old, ...now].filter(([key]) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key))));

/** Keys decisions by their subject; of equal additions, each is a subject of its own. */
function bySubject(list: Decisions): BySubject {
  const subjects = list.map(nameSubject);
  const countBefore = (at: number) => subjects.slice(0, at).filter((one) => one === subjects[at]).length;
  return new Map(list.map((one, at) => [`${subjects[at]} ${countBefore(at)}`, one]));
}

/** Returns the subject of a decision: a finding, photo, price or operation; an addition is its own subject. */
function nameSubject(one: Decision): string {
  if ('damage_id' in one) return one.damage_id;
  if ('line' in one) return `price ${one.line}`;
  if ('line_id' in one) return `operation ${one.line_id}`;
  if ('vehicle' in one) return `vehicle of ${one.image_index}`;
  return one.decision === 'nothing_more' ? `photo ${one.image_index}` : JSON.stringify(one);
}

/** States a decision instead of an earlier one on its subject, or removes what was stated. */
function restate(decisions: Decisions, one: Decision, isStated: boolean): Decisions {
  const others = decisions.filter((other) => nameSubject(other) !== nameSubject(one));
  return isStated ? [...others, one] : others;
}

export const isMarkedComplete = (decisions: Decisions, imageIndex: number): boolean =>
  decisions.some((one) => one.decision === 'nothing_more' && one.image_index === imageIndex);

export const markComplete = (decisions: Decisions, imageIndex: number, isComplete: boolean): Decisions =>
  restate(decisions, { decision: 'nothing_more', image_index: imageIndex }, isComplete);

export const findPrice = (decisions: Decisions, line: string): number | undefined =>
  decisions.flatMap((one) => ('line' in one && one.line === line ? [one.cost] : []))[0];

/** Sets the price of a part's repair; null removes the one that was set. */
export const setPrice = (decisions: Decisions, line: string, cost: number | null): Decisions =>
  restate(decisions, { decision: 'price', line, cost: cost ?? 0 }, cost !== null);

/** Returns whether the reviewer included or excluded an expected operation; undefined if neither. */
export const findVerdict = (decisions: Decisions, id: string): 'include' | 'exclude' | undefined =>
  decisions.flatMap((one) => ('line_id' in one && one.line_id === id ? [one.decision] : []))[0];

/** Includes or excludes an expected operation; repeating the choice resets it. */
export const toggleOperation = (decisions: Decisions, id: string, verdict: 'include' | 'exclude') =>
  restate(decisions, { decision: verdict, line_id: id }, findVerdict(decisions, id) !== verdict);

/** Returns true if all photos that are not moved are declared to show one vehicle. */
export const isOneVehicle = (decisions: Decisions) =>
  decisions.some(({ decision }) => decision === 'one_vehicle');

/** Moves a photo to a vehicle; moving it back removes the decision. @param groups as found */
export function moveToVehicle(
  decisions: Decisions,
  imageIndex: number,
  vehicle: number,
  groups: Groups,
): Decisions {
  const home = isOneVehicle(decisions) ? 1 : findVehicle(imageIndex, groups);
  return restate(decisions, { decision: 'vehicle', image_index: imageIndex, vehicle }, home !== vehicle);
}

/** Declares that all photos show one vehicle, or reverts to the groups as found. */
export function toggleOneVehicle(decisions: Decisions, groups: Groups): Decisions {
  const others = decisions.filter(({ decision }) => decision !== 'vehicle' && decision !== 'one_vehicle');
  return isOneVehicle(decisions) || groups.length === 0 ? others : [...others, { decision: 'one_vehicle' }];
}

const removeFinding = (decisions: Decisions, id: string): Decisions =>
  decisions.filter((one) => !('damage_id' in one && one.damage_id === id));

/** Separates the findings merged into this one; corrected ones stay corrected, others become undecided. */
const separateMerged = (decisions: Decisions, id: string): Decisions =>
  decisions.flatMap((one): Decision[] => {
    if (!('into' in one) || one.into !== id) return [one];
    if (one.decision === 'merge') {
      const own = confirm(one.damage_id, one);
      return own.decision === 'change' || readNote(own) !== undefined ? [own] : [];
    }
    const { into: _, ...others } = one;
    return [others as Add];
  });
