import { CURRENCIES, isCurrency } from '../domain/money.ts';

/** What stands where a value is missing. */
export const ABSENT = '–';

/** An amount in major units with its currency sign and the currency's own decimals; `–` where there is none. */
export function money(amount: number | null | undefined, currency: string): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return ABSENT;
  if (!isCurrency(currency)) return `${currency} ${plain(amount, 2)}`;
  const digits = CURRENCIES[currency].exponent;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** `$100.00 – $200.00`, or one amount where both ends are the same. */
export function moneyRange(min: number, max: number, currency: string): string {
  return min === max ? money(min, currency) : `${money(min, currency)} – ${money(max, currency)}`;
}

/** A number with at most `digits` decimals, no trailing zeros, thousands separated. */
export function plain(value: number | null | undefined, digits = 1): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }).format(value);
}

/** A share in [0, 1] as whole per cent. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return ABSENT;
  return `${Math.round(share * 100)} %`;
}

/** `2026-11-20 19:52 UTC` from an ISO 8601 time; the text itself where it is not one. */
export function dateTime(iso: string | null | undefined): string {
  if (!iso) return ABSENT;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${time.toISOString().slice(0, 10)} ${time.toISOString().slice(11, 16)} UTC`;
}

/** `31 x 2 cm ± 4` from the measurements of a damage; undefined where there are none. */
export function sizeText(
  size:
    | { length?: number; width?: number; diameter?: number; depth?: number; uncertainty_cm: number }
    | undefined,
): string | undefined {
  if (!size) return undefined;
  const across = size.diameter !== undefined ? `Ø ${plain(size.diameter)}` : sides(size.length, size.width);
  return across === undefined ? undefined : `${across} cm ± ${plain(size.uncertainty_cm)}`;
}

function sides(length: number | undefined, width: number | undefined): string | undefined {
  if (length === undefined) return width === undefined ? undefined : plain(width);
  return width === undefined ? plain(length) : `${plain(length)} × ${plain(width)}`;
}

/** Last part of a path or address, without query: the name a person knows a photo by. */
export function fileName(url: string): string {
  const path = url.split(/[?#]/)[0] ?? url;
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? url;
}
