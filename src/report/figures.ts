import type { RuleTrace } from '../domain/damage.ts';
import { readGradedSizeCm } from '../domain/judge/graded-size.ts';
import { findExponent, isCurrency, isIsoCurrency, toMajor, toMinor } from '../domain/money.ts';

/** What stands where a value is missing. */
export const ABSENT = '–';

const SYMBOL = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', CNY: 'CN¥' } as const;

/** Returns the symbol of a currency, or its code and a blank. */
const symbolOf = (currency: string) => (isCurrency(currency) ? SYMBOL[currency] : `${currency} `);

/**
 * Returns an amount in major units with its currency symbol and the currency's own decimals; `–` where there is none.
 */
export function money(amount: number | null | undefined, currency: string): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return ABSENT;
  const minus = amount < 0 ? '−' : '';
  // A report may hold anything as a currency; what is none has two decimals.
  if (!isIsoCurrency(currency)) return `${minus}${currency} ${grouped(Math.abs(amount).toFixed(2))}`;
  const minor = Math.abs(toMinor(amount, currency));
  return `${minus}${symbolOf(currency)}${grouped(toMajor(minor, currency).toFixed(findExponent(currency)))}`;
}

/** Groups digits with a comma every three places, the same on every machine (Intl's tables change between versions). */
function grouped(digits: string): string {
  const [whole = '', decimals] = digits.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? text : `${text}.${decimals}`;
}

/** Returns an amount in whole units of money, rounded half up: an estimate of ± 20 % does not deserve more digits. */
export function wholeMoney(amount: number, currency: string): string {
  if (!Number.isFinite(amount)) return ABSENT;
  const symbol = symbolOf(currency);
  const whole = Math.round(Math.abs(amount));
  return `${amount < 0 && whole !== 0 ? '−' : ''}${symbol}${grouped(String(whole))}`;
}

/** Returns a range as `$3,661–5,670` in whole units of money, or one amount where both ends round to the same. */
export function moneyRange(min: number, max: number, currency: string): string {
  const [low, high] = [wholeMoney(min, currency), wholeMoney(max, currency)];
  if (low === high) return low;
  if (min < 0) return `${low} to ${high}`;
  return `${low}–${grouped(String(Math.round(max)))}`;
}

interface Estimated {
  readonly min: number;
  readonly max: number;
  readonly estimated: number;
  readonly currency: string;
}

/** Returns an estimate with its range as `$6,397 ($4,004–16,937)`. */
export function estimateAndRange(cost: Estimated): string {
  const { min, max, estimated, currency } = cost;
  const range = moneyRange(min, max, currency);
  const estimate = wholeMoney(estimated, currency);
  return range === estimate ? range : `${estimate} (${range})`;
}

/** Returns a number with at most `digits` decimals, no trailing zeros, thousands separated. */
export function plain(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  const text = Math.abs(value).toFixed(digits);
  const trimmed = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return `${value < 0 && Number(trimmed) !== 0 ? '−' : ''}${grouped(trimmed)}`;
}

/** Returns a share in [0, 1] as whole per cent. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return ABSENT;
  return `${Math.round(share * 100)} %`;
}

/** Returns an ISO 8601 time as `2026-11-20 19:52 UTC`; the text itself where it is not one. */
export function dateTime(iso: string | null | undefined): string {
  if (!iso) return ABSENT;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${time.toISOString().slice(0, 10)} ${time.toISOString().slice(11, 16)} UTC`;
}

/** What the size of a damage was judged by. */
export interface Sized {
  readonly measurements?: {
    readonly length?: number;
    readonly width?: number;
    readonly diameter?: number;
    readonly uncertainty_cm: number;
  };
  readonly explain: readonly RuleTrace[];
}

/**
 * Returns a size as `31 × 2 ±4 cm` as measured, in whole centimetres where it may be off by one, else `~31 cm`, the
 * size that the severity was judged by; undefined where there is none.
 */
export function sizeText({ measurements: size, explain }: Sized): string | undefined {
  if (!size) {
    const judged = readGradedSizeCm(explain);
    return judged === undefined ? undefined : `~${plain(judged, judged < 10 ? 1 : 0)} cm`;
  }
  // A millimetre says nothing where the length may be off by a centimetre and more.
  const digits = size.uncertainty_cm < 1 ? 1 : 0;
  const [length, width, diameter] = [size.length, size.width, size.diameter].map((cm) =>
    cm === undefined ? undefined : plain(cm, cm < 1 ? 1 : digits),
  );
  const across = diameter === undefined ? sides(length, width) : `Ø ${diameter}`;
  return across === undefined ? undefined : `${across} ±${plain(size.uncertainty_cm, digits)} cm`;
}

function sides(length: string | undefined, width: string | undefined): string | undefined {
  return length === undefined || width === undefined ? (length ?? width) : `${length} × ${width}`;
}

/** Returns the last part of a path or address, without query: the name a person knows a photo by. */
export function fileName(url: string): string {
  const path = url.split(/[?#]/)[0] ?? url;
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? url;
}

/** A conversion of currencies with its rate and date. */
interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly rate: number;
  readonly date: string;
}

/** Returns what was converted, and at which day's rates: `rates and prices, 1 USD = 0.850268 EUR of 2026-05-08`. */
export function conversionText(
  meta: { readonly fx?: Conversion; readonly parts_fx?: Conversion } | undefined,
): string | undefined {
  const words = ({ from, to, rate, date }: Conversion) => `1 ${from} = ${rate} ${to} of ${date}`;
  const [fx, parts] = [meta?.fx, meta?.parts_fx];
  const texts = [
    ...(fx === undefined ? [] : [`rates, ${words(fx)}`]),
    ...(parts === undefined ? [] : [`prices of parts, ${words(parts)}`]),
  ];
  return texts.length === 0 ? undefined : texts.join('; ');
}
