/**
 * Currencies of the service (contract decisions, "currency"); `exponent` = decimal places of the minor unit (ISO 4217).
 */
export const CURRENCIES = {
  USD: { exponent: 2 },
  EUR: { exponent: 2 },
  GBP: { exponent: 2 },
  JPY: { exponent: 0 },
  CNY: { exponent: 2 },
} as const;
/** An ISO 4217 code. Every amount may be in any of them; requests may ask for those of `CURRENCIES`. */
export type Currency = string;
export const CURRENCY_CODES = Object.keys(CURRENCIES) as readonly (keyof typeof CURRENCIES)[];

/** Returns whether a text is a code in upper case that every request may ask for. */
export function isCurrency(code: string): code is keyof typeof CURRENCIES {
  return Object.hasOwn(CURRENCIES, code);
}

/** Returns whether a text is an ISO 4217 code in upper case. */
export function isIsoCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code);
}

/** Returns the decimal places of a currency's minor unit. */
export function findExponent(currency: Currency): number {
  if (isCurrency(currency)) return CURRENCIES[currency].exponent;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Rounds to a whole number, halves away from zero, tolerating binary rounding errors such as 1.005 * 100. */
export function roundHalfAway(value: number): number {
  const nudged = Math.abs(value) * (1 + Number.EPSILON * 4);
  return Math.sign(value) * Math.floor(nudged + 0.5) || 0;
}

/** Rounds a product to whole units after removing binary rounding error (6 decimals). */
export const roundProduct = (value: number) => roundHalfAway(Number(value.toFixed(6)));

/** Returns a major-unit amount (dollars, yen) as whole minor units (cents; yen have none), halves away from zero. */
export function toMinor(amount: number, currency: Currency): number {
  return roundHalfAway(amount * 10 ** findExponent(currency));
}

/** Returns whole minor units as the number that goes on the wire (12345 USD minor → 123.45). */
export function toMajor(amountMinor: number, currency: Currency): number {
  return amountMinor / 10 ** findExponent(currency);
}
