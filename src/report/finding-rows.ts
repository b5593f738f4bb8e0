import type { AssessedDamage } from '../contract/assessment/damage.ts';
import type { Coordinates, Damage, Photo, VisualInspection } from '../contract/inspection.ts';
import type { Result } from '../contract/result.ts';
import type { DamageType, Severity } from '../domain/damage.ts';
import { keepBestOfPhoto } from '../domain/damage.ts';
import { nameDamage } from '../domain/damage-words.ts';
import { findSide, type PartName } from '../domain/parts.ts';
import { removeUncertainty } from '../domain/remarks.ts';
import { formatPercent } from './figures.ts';
import { findConfirmers } from './stored-review.ts';
import { english } from './translator.ts';

/** A damage as listed in reports, joined by `damage_id` from the inspection and the assessment. */
export interface DamageRow {
  readonly id: string;
  /** Number on photos and in tables, from 1. */
  readonly number: number;
  readonly part: PartName;
  readonly side: string;
  /** Ambiguity of the part in the photos; undefined if there is none, or if a user has since stated the part. */
  readonly uncertain: Damage['location']['uncertain'];
  /** The inspection's remark, without the ambiguity of the part. */
  readonly remark: string | undefined;
  readonly type: DamageType;
  readonly subtype: string | undefined;
  /** Severity from the assessment if there is one, because the assessment may raise it. */
  readonly severity: Severity;
  /** 0 to 10. */
  readonly score: number;
  readonly found: Damage | null;
  readonly assessed: AssessedDamage | null;
  /** True for a possible damage to check, which is excluded from totals and grade. */
  readonly toCheck: boolean;
  /** Name of the person who confirmed the damage in a review, empty if unnamed; null if nobody did. */
  readonly confirmedBy: string | null;
}

/** Describes the certainty of a finding, `81 % sure`, or who confirmed it, `confirmed by Ada`; empty without photos. */
export function describeCertainty({ found, confirmedBy }: DamageRow, t = english): string {
  if (confirmedBy !== null)
    return confirmedBy === '' ? t`confirmed by a reviewer` : t`confirmed by ${confirmedBy}`;
  return found ? t`${t.figure(formatPercent(found.confidence))} sure` : '';
}

/** Returns all findings of an inspection: damages, then places to check. */
export const listFindings = ({ results }: Pick<VisualInspection, 'results'>): readonly Damage[] =>
  results ? [...results.damages, ...results.to_check] : [];

/** Lists the places to check as report rows, ordered by number. */
export function listToCheckRows({ inspection }: Result): readonly DamageRow[] {
  const found = inspection?.data.results?.to_check ?? [];
  return found.map((one) => ({ ...makeRow(one.number, one, null), toCheck: true }));
}

/** Lists the damages as report rows, ordered by number; assessed damages without a finding come last. */
export function listDamageRows({ inspection, assessment }: Result): readonly DamageRow[] {
  const found = inspection?.data.results?.damages ?? [];
  const assessed = new Map(assessment?.data.assessed_damages.map((one) => [one.damage_id, one]));
  const foundIds = new Set(found.map((one) => one.damage_id));
  const unlinked = [...assessed.values()].filter((one) => !foundIds.has(one.damage_id));
  const highest = Math.max(0, ...(inspection ? listFindings(inspection.data) : []).map((one) => one.number));
  const findConfirmer = findConfirmers(inspection);
  return [
    ...found.map((one) => makeRow(one.number, one, assessed.get(one.damage_id) ?? null)),
    ...unlinked.map((one, index) => makeRow(highest + index + 1, null, one)),
  ].map((row) => ({ ...row, confirmedBy: findConfirmer(row.id) }));
}

/** Lists all findings as report rows: damages, then places to check. */
export const listFindingRows = (input: Result): readonly DamageRow[] => [
  ...listDamageRows(input),
  ...listToCheckRows(input),
];

function makeRow(number: number, found: Damage | null, assessed: AssessedDamage | null): DamageRow {
  const main = assessed ?? found;
  const part = assessed?.location ?? found?.location.part;
  if (!main || !part) throw new Error('a damage row needs a damage');
  return {
    id: main.damage_id,
    number,
    part,
    side: found?.location.side ?? findSide(part),
    uncertain: found?.location.part === part ? found.location.uncertain : undefined,
    remark: removeUncertainty(found?.detail),
    type: main.type,
    subtype: main.subtype,
    severity: main.severity,
    score: main.severity_score,
    found,
    assessed,
    toCheck: false,
    confirmedBy: null,
  };
}

/** A finding as one photo shows it; the bounding box is in pixels of the upright photo. */
export interface PhotoFinding {
  readonly damage: Damage;
  readonly box: Coordinates;
  /** Type seen there, if it differs from that of the damage. */
  readonly type?: Damage['type'] | undefined;
  /** True for a place to check, false for a damage. */
  readonly toCheck: boolean;
}

/** Lists the findings visible in a photo by number: damages, then places to check. */
export function listPhotoFindings(
  photo: Pick<Photo, 'index'>,
  inspection: VisualInspection,
): readonly PhotoFinding[] {
  const toCheck = new Set(inspection.results?.to_check);
  return listFindings(inspection).flatMap((damage) =>
    keepBestOfPhoto(damage.evidence)
      .filter((evidence) => evidence.image_index === photo.index)
      .map(({ coordinates: box, type }) => ({ damage, box, type, toCheck: toCheck.has(damage) })),
  );
}

/** Lists the numbered boxes drawn on a photo, pixels of the upright photo; a place to check is named as it looks there. */
export function listMarks(photo: Pick<Photo, 'index'>, inspection: VisualInspection) {
  return listPhotoFindings(photo, inspection).map(({ damage, box, type, toCheck }) => ({
    number: damage.number,
    box,
    words: nameDamage({ ...(toCheck && type ? { type } : damage), part: damage.location.part }),
    severity: damage.severity,
    toCheck,
  }));
}

/** Lists the numbers of the photos that show the findings, from 1, ascending. */
export function listPhotoNumbers(findings: readonly Damage[]): readonly number[] {
  const numbers = findings.flatMap(({ evidence }) => evidence.map((one) => one.image_index + 1));
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}
