import type { AssessedDamage } from '../contract/assessment/damage.ts';
import type { InspectionMeta } from '../contract/inspection.ts';
import type { RuleTrace } from '../domain/damage.ts';
import { DEFAULT_SIZE_ERROR, readGradedSizeCm } from '../domain/grading/graded-size.ts';
import { findExponent, isCurrency, isIsoCurrency, toMajor, toMinor } from '../domain/money.ts';
import { compact } from '../lib/lists.ts';
import { readLastSegments, stripUrl } from '../lib/names.ts';
import { english, joinItems } from './translator.ts';

/** Placeholder for a missing value. */
export const ABSENT = '–';

/** Formats the number of a finding, with a question mark if it is to be checked: `3`, `7?`. */
export function formatFindingNumber(finding: { readonly number: number; readonly toCheck: boolean }): string {
  return `${finding.number}${finding.toCheck ? '?' : ''}`;
}

/** Formats hours with one decimal; `–` for zero. */
export const formatHours = (hours: number): string => (hours === 0 ? ABSENT : hours.toFixed(1));

const SYMBOL = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', CNY: 'CN¥' } as const;

/** Returns the symbol of a currency, or its code and a space. */
const findSymbol = (currency: string) => (isCurrency(currency) ? SYMBOL[currency] : `${currency} `);

/** Formats an amount in major units with currency symbol and the currency's decimals; `–` without an amount. */
export function formatMoney(amount: number | null | undefined, currency: string): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return ABSENT;
  // A report may contain an arbitrary currency string; an unknown one gets two decimals.
  const size = isIsoCurrency(currency)
    ? toMajor(Math.abs(toMinor(amount, currency)), currency).toFixed(findExponent(currency))
    : Math.abs(amount).toFixed(2);
  return `${amount < 0 && Number(size) !== 0 ? '−' : ''}${findSymbol(currency)}${groupDigits(size)}`;
}

/** Groups digits by thousands with commas. Avoids Intl, whose tables change between versions. */
function groupDigits(digits: string): string {
  const [whole = '', decimals] = digits.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? text : `${text}.${decimals}`;
}

/** Formats an amount in whole major units, rounded half up: ± 20 % uncertainty does not justify decimals. */
export function formatWholeMoney(amount: number, currency: string): string {
  if (!Number.isFinite(amount)) return ABSENT;
  const whole = Math.round(Math.abs(amount));
  return `${amount < 0 && whole !== 0 ? '−' : ''}${findSymbol(currency)}${groupDigits(String(whole))}`;
}

/** Formats an amount with two significant digits: `$6,600`. */
export function formatRoundMoney(amount: number, currency: string): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(amount)))) - 1);
  return formatWholeMoney(Math.round(amount / step) * step, currency);
}

/** Formats a range in whole major units as `$3,661–5,670`, or one amount if both ends round to the same. */
export function formatMoneyRange(min: number, max: number, currency: string): string {
  const [low, high] = [formatWholeMoney(min, currency), formatWholeMoney(max, currency)];
  if (low === high) return low;
  if ([low, high].includes(ABSENT)) return ABSENT;
  if (min < 0) return `${low} – ${high}`;
  return `${low}–${groupDigits(String(Math.round(max)))}`;
}

/** Formats a number with at most `digits` decimals, thousands separators and no trailing zeros. */
export function formatNumber(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  const text = Math.abs(value).toFixed(digits);
  const trimmed = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return `${value < 0 && Number(trimmed) !== 0 ? '−' : ''}${groupDigits(trimmed)}`;
}

/** Formats a fraction in [0, 1] as a whole percentage. */
export function formatPercent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return ABSENT;
  return `${Math.round(share * 100)} %`;
}

/** Formats an ISO 8601 time as `2026-11-20 19:52 UTC`; returns other text unchanged. */
export function formatDateTime(iso: string | null | undefined): string {
  if (!iso) return ABSENT;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${time.toISOString().slice(0, 10)} ${time.toISOString().slice(11, 16)} UTC`;
}

/** Inputs for the displayed size of a damage. */
export interface Sized {
  readonly measurements?: {
    readonly length?: number;
    readonly width?: number;
    readonly diameter?: number;
    readonly uncertainty_cm: number;
  };
  readonly explain: readonly RuleTrace[];
}

/** Formats a measured size as `31 × 2 ±9 cm`, or the size used for grading as `~31 cm`; undefined without either. */
export function formatSize({ measurements: size, explain }: Sized): string | undefined {
  if (!size) {
    const judged = readGradedSizeCm(explain);
    return judged === undefined ? undefined : `~${formatCentimeters(judged, judged * DEFAULT_SIZE_ERROR)} cm`;
  }
  const { uncertainty_cm: halfWidth } = size;
  // The shorter side has the same relative error, but counts as off by at least 1 cm, or by the interval if smaller.
  const error = halfWidth / Math.max(size.diameter ?? 0, size.length ?? 0, size.width ?? 0);
  const [length, width, diameter] = [size.length, size.width, size.diameter].map((cm) =>
    cm === undefined ? undefined : formatCentimeters(cm, Math.max(cm * error, Math.min(halfWidth, 1))),
  );
  const across = diameter === undefined ? compact([length, width]).join(' × ') : `Ø ${diameter}`;
  return across === '' ? undefined : `${across} ±${formatCentimeters(halfWidth, halfWidth)} cm`;
}

/** Returns the longest extent of a damage in centimeters, rounded to its uncertainty; undefined if unknown. */
export function roundLengthCm({ measurements: size, explain }: Sized): number | undefined {
  const cm = size?.diameter ?? size?.length ?? readGradedSizeCm(explain);
  return cm === undefined ? undefined : roundCentimeters(cm, size?.uncertainty_cm ?? cm * DEFAULT_SIZE_ERROR);
}

/** Formats the size of an assessment: `~170 cm` if measured in photos, `17.5 cm` if stated; undefined without one. */
export function formatAssessedSize(assessed: AssessedSize): string | undefined {
  const cm = roundAssessedCm(assessed);
  if (cm === undefined) return undefined;
  return `${assessed.size_uncertainty_cm === undefined ? '' : '~'}${formatNumber(cm)} cm`;
}

/** Returns the size used in the assessment in centimeters, rounded to its uncertainty if it was measured in photos. */
export const roundAssessedCm = ({ size_cm: cm, size_uncertainty_cm: halfWidth }: AssessedSize) =>
  cm === undefined || halfWidth === undefined ? cm : roundCentimeters(cm, halfWidth);

type AssessedSize = Pick<AssessedDamage, 'size_cm' | 'size_uncertainty_cm'>;

/** Rounding step by half-width of the interval, both in centimeters; the first row whose `from` is reached applies. */
const STEPS = [
  { from: 30, step: 10 },
  { from: 15, step: 5 },
  { from: 1, step: 1 },
  { from: 0.3, step: 0.5 },
  { from: 0, step: 0.1 },
] as const;

/** Rounds a length to the step of its interval, but never to zero. */
function roundCentimeters(cm: number, halfWidth: number): number {
  const { step } = STEPS.find(({ from }) => halfWidth >= from) ?? { step: 1 };
  const rounded = Math.round(cm / step) * step;
  return rounded > 0 ? rounded : cm;
}

const formatCentimeters = (cm: number, halfWidth: number) => formatNumber(roundCentimeters(cm, halfWidth));

/** Names a photo by its file name, with its folder if another photo has the same name, else by its stripped URL. */
export function namePhoto(url: string, photos: readonly { readonly url: string }[]): string {
  const listNames = (of: string) => [1, 2].map((count) => readLastSegments(of, count));
  const others = photos.filter((other) => other.url !== url).map((other) => listNames(other.url));
  return listNames(url).find((one, index) => others.every((names) => names[index] !== one)) ?? stripUrl(url);
}

/** Names a photo in a caption by at most 44 characters; the list of examined photos shows the name in full. */
export const nameInCaption = (url: string, photos: readonly { readonly url: string }[]): string =>
  shortenMiddle(namePhoto(url, photos), 44);

/** Elides the middle of a long name, because names of a series differ at their ends; keeps at least its last letter. */
export function shortenMiddle(name: string, maxLength: number): string {
  const characters = Array.from(name);
  const length = Math.max(2, maxLength);
  if (characters.length <= length) return name;
  const end = Math.ceil((length - 1) / 2);
  return `${characters.slice(0, length - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}

/** Formats the currency conversions with rate and date: `rates and prices, 1 USD = 0.850268 EUR of 2026-05-08`. */
export function describeConversion(
  meta: Pick<InspectionMeta, 'fx' | 'parts_fx'> | undefined,
  t = english,
): string | undefined {
  const words = ({ from, to, rate, date }: NonNullable<InspectionMeta['fx']>) =>
    t`1 ${from} = ${rate} ${to} of ${t.figure(date)}`;
  const [fx, parts] = [meta?.fx, meta?.parts_fx];
  const used = compact([
    fx && `${t`rates`}, ${words(fx)}`,
    parts && `${t`prices of parts`}, ${words(parts)}`,
  ]);
  return used.length === 0 ? undefined : joinItems(used, t);
}
