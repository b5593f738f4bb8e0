import { listBoxes } from '../../contract/corrected-boxes.ts';
import type { Damage, InspectionEnvelope } from '../../contract/inspection.ts';
import {
  type Add,
  type Correction,
  type Decision,
  DecisionsSchema,
  StatedSchema,
} from '../../contract/review.ts';
import { isPlaceToCheckId } from '../../domain/damage.ts';
import { OUTSIDE_PARTS } from '../../domain/parts.ts';
import { fitsPart, listPossibleTypes } from '../../domain/possible-types.ts';
import { findMergeOverVehicles, groupAsDecided, listSplitIds } from '../../domain/vehicle-photos.ts';
import { check, type Source } from '../../lib/check.ts';
import { checkEnum } from '../../lib/check-value.ts';
import { VehiError } from '../../lib/errors.ts';
import { describeValue } from '../../lib/fields.ts';

/**
 * Extracts what decisions may name: the findings of a result, damages and places to check, its photos, and the groups of
 * these by vehicle if they show several.
 * @throws VehiError input NOTHING_TO_REVIEW if the inspection failed
 */
export function readReviewable({ data }: Pick<InspectionEnvelope, 'data'>) {
  const { results } = data;
  if (!results)
    throw new VehiError('input', 'NOTHING_TO_REVIEW', 'the result has no findings: its inspection failed.');
  const { images: photos, vehicle_groups: groups } = data;
  const findings: readonly Damage[] = [...results.damages, ...results.to_check];
  return { results, findings, photos, groups };
}

type Reviewable = Readonly<ReturnType<typeof readReviewable>>;

/**
 * Parses and validates a decisions file.
 * @throws VehiError input INVALID_DECISIONS naming the entry, what was found and what is needed
 */
export function parseDecisions(json: unknown, of: Reviewable, file: string): readonly Decision[] {
  const source = { ...SOURCE, document: file, validators: makeValidators(of) };
  const decisions = check(DecisionsSchema, json, source);
  for (const [index, one] of decisions.entries()) {
    const at = `${file}: [${index}]`;
    if (one.decision === 'change' && !correctsFinding(one))
      throw makeInvalidError(at, 'changes nothing; type, subtype, severity, part or box is needed');
    if ('box' in one || 'boxes' in one) checkBoxes(one, of, at);
    checkPossible(one, of, at);
  }
  checkOnce(decisions, file);
  checkMerges(decisions, of, file);
  return decisions;
}

/** Returns whether a decision corrects its finding. */
export const correctsFinding = (one: Correction): boolean =>
  Object.keys(StatedSchema.properties).some((name) => name in one) || listBoxes(one).length > 0;

const SOURCE = {
  kind: 'input',
  code: 'INVALID_DECISIONS',
  hint: 'For example [{"damage_id": "dmg_hood_001", "decision": "change", "severity": "minor"}]',
} as const;

/** Creates per-field validators: findings, photos and parts that exist in the result. */
function makeValidators({ findings, photos }: Reviewable): NonNullable<Source['validators']> {
  const ids = findings.flatMap(listSplitIds);
  const validateFinding = (id: unknown) =>
    ids.length > 0 ? checkEnum(id, ids) : { problem: `is ${describeValue(id)}; the result has no findings.` };
  const validatePhoto = (index: unknown) =>
    photos.some((photo) => photo.index === index)
      ? undefined
      : { problem: `is ${describeValue(index)}; a photo, 0 to ${photos.length - 1}, is needed.` };
  return {
    '[].damage_id': validateFinding,
    '[].into': validateFinding,
    '[].image_index': validatePhoto,
    '[].boxes[].image_index': validatePhoto,
    '[].line': (part) => checkEnum(part, OUTSIDE_PARTS),
    // Exterior photos only: a mechanical part would be graded and priced by damage that does not show it.
    '[].part': (part) => {
      const fault = checkEnum(part, OUTSIDE_PARTS);
      const problem = `is ${describeValue(part)}; an exterior part is needed, not a mechanical one.`;
      return fault && { ...fault, problem };
    },
  };
}

/** Returns the original finding for an id, which may be that of its split on another vehicle. */
const findFound = (id: string, { findings }: Pick<Reviewable, 'findings'>) =>
  findings.find((one) => listSplitIds(one).includes(id));

/** Validates that the resulting type fits the resulting part, unless both are those of the finding. */
function checkPossible(entry: Decision, of: Reviewable, at: string): void {
  if (!('type' in entry || 'part' in entry || 'subtype' in entry)) return;
  const found = 'damage_id' in entry ? findFound(entry.damage_id, of) : undefined;
  const part = entry.part ?? found?.location.part;
  const type = entry.type ?? (entry.subtype === undefined ? found?.type : 'panel_damage');
  if (part === undefined || type === undefined || fitsPart(type, part)) return;
  if (type === found?.type && part === found.location.part) return;
  const needed = `${listPossibleTypes(part).join(', ')}, or another part is needed`;
  throw makeInvalidError(at, `is ${type} on ${part}; ${needed}`);
}

/** Validates that the boxes lie in their photos, each once and, for a finding, in photos that show it. */
function checkBoxes(entry: Extract<Decision, Correction | Add>, of: Reviewable, at: string): void {
  const finding = 'damage_id' in entry ? findFound(entry.damage_id, of) : undefined;
  const seenIn = finding?.evidence.map((one) => one.image_index);
  const taken = new Set<number>();
  for (const { box, image_index, at: suffix } of listBoxes(entry)) {
    const where = `${at}${suffix}`;
    const index = image_index ?? seenIn?.[0] ?? -1;
    if (seenIn && !seenIn.includes(index))
      throw makeInvalidError(
        `${where}.image_index`,
        `is ${index}; a photo of the finding, ${seenIn.join(', ')}, is needed`,
      );
    if (taken.has(index))
      throw makeInvalidError(`${at}.boxes`, `has two boxes in photo ${index}; only one is allowed`);
    taken.add(index);
    const photo = of.photos.find((one) => one.index === index);
    if (photo && box.x + box.width <= photo.width && box.y + box.height <= photo.height) continue;
    const inside = photo ? `inside the photo of ${photo.width}x${photo.height}` : 'of a photo';
    throw makeInvalidError(`${where}.box`, `is ${JSON.stringify(box)}; a box ${inside} is needed`);
  }
}

/** Rejects repeated decisions on one subject: a finding, price, operation, photo, or the vehicle. */
function checkOnce(decisions: readonly Decision[], file: string): void {
  const seen = new Set<string>();
  for (const [index, one] of decisions.entries()) {
    const subject = findSubject(one);
    if (subject === undefined) continue;
    const { field, named } = subject;
    if (seen.has(named))
      throw makeInvalidError(`${file}: [${index}].${field}`, `is ${named}, decided twice; decide it once`);
    seen.add(named);
  }
}

/** Returns the field and name of a decision's subject for messages; undefined for a new finding. */
export function findSubject(one: Decision): { readonly field: string; readonly named: string } | undefined {
  if ('damage_id' in one) return { field: 'damage_id', named: one.damage_id };
  if ('line' in one) return { field: 'line', named: `the price of ${one.line}` };
  if ('line_id' in one) return { field: 'line_id', named: `operation ${one.line_id}` };
  if (one.decision === 'nothing_more') return { field: 'image_index', named: `photo ${one.image_index}` };
  if (one.decision === 'vehicle')
    return { field: 'image_index', named: `the vehicle of photo ${one.image_index}` };
  if (one.decision === 'one_vehicle') return { field: 'decision', named: 'one_vehicle' };
  return undefined;
}

/** Validates that a merge target remains a damage and is on the same vehicle. */
function checkMerges(decisions: readonly Decision[], of: Reviewable, file: string): void {
  const byId = new Map(decisions.flatMap((one) => ('damage_id' in one ? [[one.damage_id, one]] : [])));
  for (const [index, one] of decisions.entries()) {
    if (!('into' in one) || one.into === undefined) continue;
    const at = `${file}: [${index}].into`;
    const passed = new Set('damage_id' in one ? [one.damage_id] : []);
    let target: string = one.into;
    for (let next = byId.get(target); next?.decision === 'merge'; next = byId.get(target)) {
      if (passed.has(target)) break;
      passed.add(target);
      target = next.into;
    }
    if (passed.has(target))
      throw makeInvalidError(at, `is ${one.into}, which forms a cycle; another finding is needed`);
    const fate = byId.get(target)?.decision;
    if (fate === 'reject')
      throw makeInvalidError(at, `is ${target}, which is rejected; merge into a finding that is kept`);
    if (isPlaceToCheckId(target) && fate === undefined)
      throw makeInvalidError(at, `is ${target}, a place to check; a decision that accepts it is needed`);
  }
  const vehicles = groupAsDecided(of.photos, of.groups, decisions);
  const over = findMergeOverVehicles(of.findings, vehicles, decisions);
  if (over && 'into' in over)
    throw makeInvalidError(
      `${file}: [${decisions.indexOf(over)}].into`,
      `is ${over.into}, on another vehicle; a finding of the same one is needed`,
    );
}

function makeInvalidError(where: string, problem: string): VehiError {
  return new VehiError(SOURCE.kind, SOURCE.code, `${where} ${problem}.`, { hint: SOURCE.hint });
}
