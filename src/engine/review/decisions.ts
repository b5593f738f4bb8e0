import type { Damage, Photo } from '../../contract/inspection.ts';
import { DECISION_VALUES, type Decision, type DrawnBox } from '../../contract/review.ts';
import { DAMAGE_TYPES, SEVERITIES } from '../../domain/damage.ts';
import { OUTSIDE_PARTS, type PartName } from '../../domain/parts.ts';
import { canPartHave, listPossibleTypes } from '../../domain/possible.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';

/** What decisions are held against: the findings they may name and the photos their boxes lie in. */
export interface Reviewable {
  /** Damages and places to check. */
  readonly findings: readonly Damage[];
  readonly photos: readonly Photo[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields of each decision besides `decision`; those with a question mark may be absent. */
const FIELDS = {
  accept: ['damage_id'],
  reject: ['damage_id'],
  change: ['damage_id', 'type?', 'severity?', 'part?', 'box?', 'image_index?'],
  merge: ['damage_id', 'into'],
  add: ['image_index', 'box', 'type', 'severity?', 'part?', 'into?'],
  nothing_more: ['image_index'],
} as const satisfies Record<Decision['decision'], readonly string[]>;

/**
 * Checks the JSON of a decisions file.
 * @throws VehiError input INVALID_DECISIONS that names the entry, what was found and what is needed
 */
export function parseDecisions(json: unknown, of: Reviewable, file: string): readonly Decision[] {
  if (!Array.isArray(json)) throw makeInvalidError(file, 'found no list', 'a list of decisions');
  const decisions = json.map((entry: unknown, index) => parseDecision(entry, of, `${file}: [${index}]`));
  checkOnce(decisions, file);
  checkMerges(decisions, file);
  return decisions;
}

function parseDecision(entry: unknown, of: Reviewable, at: string): Decision {
  if (!isObject(entry)) throw makeInvalidError(at, 'found no object', 'an object with a decision');
  const decision = readOneOf(entry, 'decision', DECISION_VALUES, at);
  if (decision === undefined) throw makeInvalidError(`${at}.decision`, 'missing', DECISION_VALUES.join(', '));
  const fields: readonly string[] = FIELDS[decision];
  const names = fields.map((name) => name.replace('?', ''));
  const stray = Object.keys(entry).find((key) => key !== 'decision' && !names.includes(key));
  if (stray !== undefined)
    throw makeInvalidError(`${at}.${stray}`, `not a field of ${decision}`, `decision, ${names.join(', ')}`);
  const missing = fields.find((name) => !name.endsWith('?') && entry[name] === undefined);
  if (missing !== undefined)
    throw makeInvalidError(`${at}.${missing}`, 'missing', `${missing} of ${decision}`);
  const ids = of.findings.map((damage) => damage.damage_id);
  const read = {
    decision,
    damage_id: readOneOf(entry, 'damage_id', ids, at),
    into: readOneOf(entry, 'into', ids, at),
    image_index: readPhotoIndex(entry, of.photos, at),
    type: readOneOf(entry, 'type', DAMAGE_TYPES, at),
    severity: readOneOf(entry, 'severity', SEVERITIES, at),
    part: readPartName(entry, at),
    box: entry.box === undefined ? undefined : readBox(entry, of, at),
  };
  const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  if (decision === 'change' && !['type', 'severity', 'part', 'box'].some((name) => name in given))
    throw makeInvalidError(at, 'a change without one', 'type, severity, part or box');
  const said = given as unknown as Decision;
  checkPossible(said, of, at);
  return said;
}

/** Checks that the part of a finding, as it is in the end, can have damage of its type. */
function checkPossible(said: Decision, { findings }: Reviewable, at: string): void {
  if (said.decision !== 'change' && said.decision !== 'add') return;
  if (said.type === undefined && said.part === undefined) return;
  const found =
    said.decision === 'change' ? findings.find((one) => one.damage_id === said.damage_id) : undefined;
  const part = said.part ?? found?.location.part;
  const type = said.type ?? found?.type;
  if (part === undefined || type === undefined || canPartHave(part, type)) return;
  const needed = `${listPossibleTypes(part).join(', ')}, or another part`;
  throw makeInvalidError(at, `${type} on ${part}`, needed, { reason: 'impossible_type', part, type });
}

function readPhotoIndex(entry: Fields, photos: readonly Photo[], at: string): number | undefined {
  const { image_index: index } = entry;
  if (index === undefined) return undefined;
  if (photos.some((photo) => photo.index === index)) return index as number;
  throw makeInvalidError(`${at}.image_index`, JSON.stringify(index), `a photo, 0 to ${photos.length - 1}`);
}

function readPartName(entry: Fields, at: string): PartName | undefined {
  const { part } = entry;
  const found = OUTSIDE_PARTS.find((one) => one === part);
  if (part === undefined || found !== undefined) return found;
  // Findings lie on photos of the outside: a mechanical part would be graded and priced by what does not show it.
  const needed = 'the name of a part of the outside, as in vehi inspect --json, no mechanical one';
  throw makeInvalidError(`${at}.part`, JSON.stringify(part), needed);
}

/** Returns the box of an entry, which lies in the photo named: for a change, one in which the finding was seen. */
function readBox(entry: Fields, { findings, photos }: Reviewable, at: string): DrawnBox {
  const finding = findings.find((one) => one.damage_id === entry.damage_id);
  const seenIn = finding?.evidence.map((one) => one.image_index);
  const index = (entry.image_index ?? seenIn?.[0]) as number;
  if (seenIn && !seenIn.includes(index))
    throw makeInvalidError(
      `${at}.image_index`,
      String(index),
      `a photo of the finding: ${seenIn.join(', ')}`,
    );
  const photo = photos.find((one) => one.index === index);
  const { box: given } = entry;
  const needed = photo
    ? `x, y, width, height in whole pixels inside the photo of ${photo.width}x${photo.height}`
    : 'x, y, width, height in whole pixels';
  if (!isObject(given) || !photo) throw makeInvalidError(`${at}.box`, JSON.stringify(given), needed);
  const { x, y, width, height, ...stray } = given;
  const sides = [x, y, width, height].map((side) => (Number.isSafeInteger(side) ? (side as number) : -1));
  const [left = -1, top = -1, wide = -1, high = -1] = sides;
  const inside = left >= 0 && top >= 0 && wide >= 1 && high >= 1;
  if (!inside || left + wide > photo.width || top + high > photo.height || Object.keys(stray).length > 0)
    throw makeInvalidError(`${at}.box`, JSON.stringify(given), needed);
  return { x: left, y: top, width: wide, height: high };
}

/** Checks that a finding is decided on once, and a photo ticked once. */
function checkOnce(decisions: readonly Decision[], file: string): void {
  const seen = new Set<string>();
  for (const [index, one] of decisions.entries()) {
    const [field, key] =
      'damage_id' in one
        ? (['damage_id', one.damage_id] as const)
        : one.decision === 'nothing_more'
          ? (['image_index', `photo ${one.image_index}`] as const)
          : [];
    if (field === undefined || key === undefined) continue;
    if (seen.has(key))
      throw makeInvalidError(`${file}: [${index}].${field}`, `${key} a second time`, 'each once');
    seen.add(key);
  }
}

/** Checks that what is merged into is a damage in the end. */
function checkMerges(decisions: readonly Decision[], file: string): void {
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
    if (passed.has(target)) throw makeInvalidError(at, `${one.into}, in a circle`, 'another finding');
    const fate = byId.get(target)?.decision;
    if (fate === 'reject') throw makeInvalidError(at, `${target}, which is rejected`, 'a finding that stays');
    if (target.startsWith('chk_') && fate === undefined)
      throw makeInvalidError(at, `${target}, a place to check`, `a decision that accepts ${target}`);
  }
}

function readOneOf<T extends string>(
  fields: Fields,
  key: string,
  allowed: readonly T[],
  at: string,
): T | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw makeInvalidError(
      `${at}.${key}`,
      JSON.stringify(value),
      allowed.length === 0 ? 'nothing: the result has no findings' : `one of ${allowed.join(', ')}`,
    );
  return found;
}

function makeInvalidError(
  where: string,
  found: string,
  needed: string,
  details?: VehiError['details'],
): VehiError {
  return new VehiError('input', 'INVALID_DECISIONS', `${where}: ${found}; needed: ${needed}`, {
    hint: 'For example [{"damage_id": "dmg_hood_001", "decision": "change", "severity": "minor"}]',
    ...defined({ details }),
  });
}
