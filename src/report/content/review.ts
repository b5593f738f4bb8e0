import type { InspectionEnvelope, InspectionResults } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import type { RepairVerdict } from '../../contract/review.ts';
import type { ReviewedFinding, SignedDecisions } from '../../contract/review-answers.ts';
import { compact } from '../../lib/lists.ts';
import { escapeName } from '../../lib/names.ts';
import { ABSENT, formatDateTime, formatMoney, formatRoundMoney, namePhoto } from '../figures.ts';
import { listFindings } from '../finding-rows.ts';
import { showsPrices } from '../grade.ts';
import { splitVehicles } from '../split-vehicles.ts';
import { readReview } from '../stored-review.ts';
import { capitalize, english, type Translator } from '../translator.ts';
import { DECISION_WORDS, describeFinding, describeLine, describeOperation, describePart } from '../words.ts';
import {
  makeHeading,
  makeParagraph,
  makeTitledTable,
  numberColumn,
  type Section,
  textColumn,
} from './blocks.ts';

/** Builds the review section: reviewer, time, decisions and remarks; null without a review. */
export function writeReview({ inspection }: Result, t: Translator): Section | null {
  const review = readReview(inspection);
  if (!inspection || !review) return null;
  const { unfinished, earlier = [], not_reviewed: unreviewed } = review;
  const repair = describeRepairDecisions(review.repair ?? [], inspection, t);
  const moved = describeMovedPhotos(inspection, t);
  const numbers = new Map(listFindings(inspection.data).map((one) => [one.damage_id, one.number]));
  return {
    id: 'review',
    title: t`Review`,
    blocks: compact([
      makeParagraph(
        compact([
          unfinished ? t`The review is not finished.` : describeSignature(review, t),
          countDecisions(review, t),
          unreviewed.length > 0 && t`${t`Not reviewed`}: ${unreviewed.length}.`,
        ]).join(' '),
      ),
      moved && makeParagraph(moved),
      ...writeDecisions(review, numbers, t),
      ...earlier.flatMap((one) => [
        makeParagraph(`${describeSignature(one, t)} ${countDecisions(one, t)}`),
        ...writeDecisions(one, numbers, t),
      ]),
      repair.length > 0 && makeHeading(t`Decided on the repair`),
      ...repair.map((text) => makeParagraph(text, 'item')),
    ]),
  };
}

function describeSignature({ reviewer, reviewed_at: at }: SignedDecisions, t: Translator): string {
  const time = t.figure(formatDateTime(at));
  return reviewer ? t`Reviewed ${time} by ${reviewer}.` : t`Reviewed ${time}.`;
}

/** Counts the decisions of each kind: `Accepted 3, Rejected 1.` */
function countDecisions({ decisions }: SignedDecisions, t: Translator): string {
  const counts = (['accept', 'change', 'merge', 'add', 'reject'] as const).flatMap((word) => {
    const { length } = decisions.filter((one) => one.decision === word);
    return length > 0 ? [`${capitalize(t.word(DECISION_WORDS[word]))} ${length}`] : [];
  });
  return counts.length === 0 ? t`No finding was decided on.` : `${counts.join(', ')}.`;
}

/** Builds the table of the decisions that changed a finding or have a remark. */
function writeDecisions({ decisions }: SignedDecisions, numbers: Map<string, number>, t: Translator) {
  const listed = decisions.filter(({ decision, note }) => decision !== 'accept' || note !== undefined);
  return makeTitledTable(t`Decisions and remarks`, listed, [
    numberColumn(t`No.`, 8, ({ original, corrected }) => String((corrected ?? original)?.number ?? ABSENT)),
    textColumn(t`Decision`, 16, ({ decision }) => capitalize(t.word(DECISION_WORDS[decision]))),
    textColumn(t`As found`, 38, ({ original }) => (original ? describeFinding(original, t) : ABSENT)),
    textColumn(
      t`As reviewed`,
      38,
      (one) => compact([describeReviewed(one, numbers, t), one.note]).join('. ') || ABSENT,
    ),
  ]);
}

/** Lists the photos that a reviewer moved to another vehicle; undefined if there are none. */
export function describeMovedPhotos(inspection: InspectionEnvelope, t = english): string | undefined {
  const { images, results } = inspection.data;
  const moved = (readReview(inspection)?.photos_moved ?? []).map(({ image_index: index, vehicle }) => {
    const { url = '' } = images.find((one) => one.index === index) ?? {};
    return `${escapeName(namePhoto(url, images))} (${vehicle})`;
  });
  if (moved.length === 0) return undefined;
  return results?.vehicles
    ? t`Photos moved to another vehicle: ${moved.join(', ')}.`
    : t`All photos show one vehicle.`;
}

/** Formats the price of the repair before and after a review, that of each vehicle if there are several; null without one. */
export function describePriceChange(...versions: readonly InspectionEnvelope[]): string | null {
  const [was, is] = versions.map((inspection) => {
    const whole = showsPrices(inspection) ? inspection.data.results : null;
    const price = ({ repair_cost: { estimated, currency } }: InspectionResults) =>
      `about ${formatRoundMoney(estimated, currency)}`;
    const vehicles = splitVehicles({ inspection, assessment: null });
    const each = vehicles.map(({ results, vehicle }) => `${price(results)} (vehicle ${vehicle})`);
    return whole ? price(whole) : each.join(', ');
  });
  return was && is ? `Repair: ${was} as found, ${is} now` : null;
}

/** Lists the price overrides and the decisions on expected operations, one sentence each. */
function describeRepairDecisions(
  repair: readonly RepairVerdict[],
  { data: { results } }: InspectionEnvelope,
  t: Translator,
): readonly string[] {
  const currency = results?.repair_cost.currency ?? '';
  const money = (amount: number | null | undefined) => t.figure(formatMoney(amount, currency));
  const operations = results?.expected_operations ?? [];
  return repair.map((one) => {
    const end = one.note ? ` (${one.note}).` : '.';
    if (one.decision === 'price')
      return `${t`${describePart(one.line, t)}: price set to ${money(one.cost)}, computed ${money(one.computed)}`}${end}`;
    const found = operations.find(({ line_id: id }) => id === one.line_id);
    const name = found
      ? `${describeLine(found, t)}, ${describeOperation(found.operation, t)}`
      : describePart(one.line_id.split('/')[0] ?? '', t);
    return `${t`${name}: ${one.decision === 'include' ? t`included in full` : t`left out`}`}${end}`;
  });
}

/** Formats the reviewer and time, `reviewed by Jane Doe 2026-11-20 09:30 UTC`, or that it goes on; null without a review. */
export function describeReviewer({ inspection }: Result, t: Translator): string | null {
  const review = readReview(inspection);
  if (!review) return null;
  if (review.unfinished) return t`review not finished`;
  const time = t.figure(formatDateTime(review.reviewed_at));
  return review.reviewer ? t`reviewed by ${review.reviewer} ${time}` : t`reviewed ${time}`;
}

/** Describes a finding after its decision; empty for a rejected one. */
function describeReviewed(
  { into, corrected }: ReviewedFinding,
  numbers: ReadonlyMap<string, number>,
  t: Translator,
): string {
  const number = into === undefined ? undefined : numbers.get(into);
  if (number !== undefined) return capitalize(t`part of no. ${number}`);
  return corrected ? describeFinding(corrected, t) : '';
}
