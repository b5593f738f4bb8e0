import type { AssessmentEnvelope } from '../../contract/assessment/assessment.ts';
import type { VisualInspection } from '../../contract/inspection.ts';
import type { Result } from '../../contract/result.ts';
import { compact } from '../../lib/lists.ts';
import { describeConversion, formatWholeMoney } from '../figures.ts';
import { listFindingRows } from '../finding-rows.ts';
import { showsPrices } from '../grade.ts';
import { english } from '../translator.ts';

/** Describes what the prices include, if there are any, and what was not judged; null for an inspection without a result. */
export function describePriceScope(input: Result, t = english): string | null {
  const results = input.inspection?.data.results;
  if (input.inspection && !results) return null;
  const rates = describeRates(input, t);
  const isPriced = showsPrices(input.inspection) && listFindingRows(input).length > 0;
  const notJudged = t`Mechanical parts and underside not judged.`;
  if (!rates || !isPriced) return notJudged;
  return `${t`Prices: ${rates}, without tax; parts hidden behind panels can raise the bill.`} ${notJudged}`;
}

/** Formats region, labor rate, vehicle class and currency conversion: `US Midwest, $115 an hour, standard car`. */
export function describeRates({ inspection, assessment }: Result, t = english): string {
  const meta = assessment?.meta ?? inspection?.meta;
  const region = (assessment ?? inspection)?.data.region;
  const vehicle = assessment?.data.vehicle.class_used ?? inspection?.data.results?.repair_cost.vehicle_class;
  // An assessment instead explains how to get the region's own currency.
  const converted = inspection === null ? undefined : describeConversion(meta, t);
  return compact([
    t.word(region?.name ?? meta?.region ?? ''),
    meta && t`${t.figure(formatWholeMoney(meta.labor_rate_used, meta.currency))} an hour`,
    vehicle && t.word(`${vehicle} car`),
    converted && `${t`converted`} (${converted})`,
  ]).join(', ');
}

/** Formats the scope of an estimate and the addition expected after teardown, shown in every output of an estimate. */
export function describeScope({ data }: AssessmentEnvelope, t = english): string {
  const { range_meaning, after_teardown: after } = data.summary.repair_cost_summary;
  const meaning = t.stored(range_meaning);
  if (after === undefined) return meaning;
  const upperBound = t.figure(formatWholeMoney(after.max, after.currency));
  return `${meaning} ${t`With what teardown usually finds up to ${upperBound} net for the whole job: ${after.added_percentage} % on the first bill (${t.stored(after.source)}).`}`;
}

/** Formats the scope of the inspection's own price; null without a price. */
export function describeInspectionScope(data: VisualInspection | undefined, t = english): string | null {
  const { results } = data ?? {};
  const priced = results && [results.repair_cost, results.if_all_confirmed].find(({ items }) => items > 0);
  if (!priced) return null;
  return [t`Without tax.`, t.stored(PRICED_TOGETHER), t.stored(priced.range_meaning)].join(' ');
}

/** Formats the scope of the amounts of an assessment, else of an inspection, in English; null without amounts. */
export function describeAmountScope({ inspection, assessment }: Result): string | null {
  return assessment ? describeScope(assessment) : describeInspectionScope(inspection?.data);
}

const PRICED_TOGETHER =
  'The damages of a part are repaired and priced together (JSON and CSV also price each as a separate repair); the whole job also includes operations that such a repair usually involves (parts behind, access, scans), weighted by frequency.';
