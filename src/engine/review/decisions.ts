import type { Damage } from '../../contract/inspection.ts';
import { DAMAGE_TYPES, type DamageType, SEVERITIES, type Severity } from '../../domain/damage.ts';
import { isPartName, type PartName } from '../../domain/parts.ts';
import { VehiError } from '../../lib/errors.ts';

/** What a reviewer may say of a finding. */
export const DECISIONS = ['accept', 'reject', 'change'] as const;

/** What a reviewer said of one finding; `change` names at least one other value. */
export interface Decision {
  readonly damageId: string;
  readonly decision: (typeof DECISIONS)[number];
  readonly type?: DamageType;
  readonly severity?: Severity;
  readonly part?: PartName;
}

/**
 * Checks the JSON of a decisions file: a list of `{ damage_id, decision, type?, severity?, part? }`.
 * @throws VehiError input INVALID_DECISIONS that names the entry, what was found and what is needed
 */
export function parseDecisions(json: unknown, damages: readonly Damage[], file: string): readonly Decision[] {
  if (!Array.isArray(json)) throw invalid(file, 'found no list', 'a list of decisions');
  const seen = new Set<string>();
  return json.map((entry: unknown, index) => {
    const at = `${file}: [${index}]`;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      throw invalid(at, 'found no object', 'an object with damage_id and decision');
    const fields = entry as Readonly<Record<string, unknown>>;
    const known = ['damage_id', 'decision', 'type', 'severity', 'part'];
    const stray = Object.keys(fields).find((key) => !known.includes(key));
    if (stray !== undefined) throw invalid(`${at}.${stray}`, 'not a field', known.join(', '));
    const damageId = oneOf(
      fields,
      'damage_id',
      damages.map((damage) => damage.damage_id),
      at,
    );
    if (damageId === undefined) throw invalid(`${at}.damage_id`, 'missing', 'the id of a damage');
    if (seen.has(damageId)) throw invalid(`${at}.damage_id`, `${damageId} a second time`, 'each damage once');
    seen.add(damageId);
    const decision = oneOf(fields, 'decision', DECISIONS, at);
    if (decision === undefined) throw invalid(`${at}.decision`, 'missing', DECISIONS.join(', '));
    const type = oneOf(fields, 'type', DAMAGE_TYPES, at);
    const severity = oneOf(fields, 'severity', SEVERITIES, at);
    const { part } = fields;
    if (part !== undefined && !(typeof part === 'string' && isPartName(part)))
      throw invalid(`${at}.part`, JSON.stringify(part), 'the name of a part, as in vehi inspect --json');
    const changes = {
      ...(type === undefined ? {} : { type }),
      ...(severity === undefined ? {} : { severity }),
      ...(part === undefined ? {} : { part: part as PartName }),
    };
    const count = Object.keys(changes).length;
    if (decision === 'change' && count === 0)
      throw invalid(at, 'a change without one', 'type, severity or part');
    if (decision !== 'change' && count > 0)
      throw invalid(at, `${decision} with other values`, '"decision": "change"');
    return { damageId, decision, ...changes };
  });
}

function oneOf<T extends string>(
  fields: Readonly<Record<string, unknown>>,
  key: string,
  allowed: readonly T[],
  at: string,
): T | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw invalid(`${at}.${key}`, JSON.stringify(value), `one of ${allowed.join(', ')}`);
  return found;
}

function invalid(where: string, found: string, needed: string): VehiError {
  return new VehiError('input', 'INVALID_DECISIONS', `${where}: ${found}; needed: ${needed}`, {
    hint: 'For example [{"damage_id": "dmg_hood_001", "decision": "change", "severity": "minor"}]',
  });
}
