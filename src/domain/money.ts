/** Currencies of the service (contract decisions, "currency"); `exponent` = decimal places of the minor unit (ISO 4217). */
export const CURRENCIES = {
  USD: { exponent: 2 },
  EUR: { exponent: 2 },
  GBP: { exponent: 2 },
  JPY: { exponent: 0 },
  CNY: { exponent: 2 },
} as const;
export type Currency = keyof typeof CURRENCIES;
export const CURRENCY_CODES = Object.keys(CURRENCIES) as readonly Currency[];

/** True for a supported ISO 4217 code in upper case. */
export function isCurrency(code: string): code is Currency {
  return Object.hasOwn(CURRENCIES, code);
}

/** Half away from zero to a whole number, steady against binary fractions such as 1.005 * 100. */
export function roundHalfUp(value: number): number {
  const nudged = Math.abs(value) * (1 + Number.EPSILON * 4);
  return Math.sign(value) * Math.floor(nudged + 0.5) || 0;
}

/** A major-unit amount (dollars, yen) as whole minor units (cents; yen have none), rounded half up. */
export function toMinor(amount: number, currency: Currency): number {
  return roundHalfUp(amount * 10 ** CURRENCIES[currency].exponent);
}

/** Whole minor units as the number that goes on the wire (12345 USD minor → 123.45). */
export function toMajor(amountMinor: number, currency: Currency): number {
  return amountMinor / 10 ** CURRENCIES[currency].exponent;
}
