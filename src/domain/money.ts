/** Currencies of the contract; `exponent` = decimal places of the minor unit (ISO 4217). */
export const CURRENCIES = {
  USD: { exponent: 2 },
  EUR: { exponent: 2 },
  GBP: { exponent: 2 },
  JPY: { exponent: 0 },
  CNY: { exponent: 2 },
} as const;
/** ISO 4217 code. Amounts may use any code. */
export type Currency = string;
export const CURRENCY_CODES = Object.keys(CURRENCIES) as readonly (keyof typeof CURRENCIES)[];

/** Returns whether a text is the uppercase code of a currency of the contract. */
export function isCurrency(code: string): code is keyof typeof CURRENCIES {
  return Object.hasOwn(CURRENCIES, code);
}

/** Returns whether a text is an uppercase ISO 4217 code. */
export const isIsoCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** Returns the decimal places of a currency's minor unit. */
export function findExponent(currency: Currency): number {
  if (isCurrency(currency)) return CURRENCIES[currency].exponent;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Rounds to an integer, halves away from zero, tolerating binary rounding errors such as 1.005 * 100. */
export function roundHalfAway(value: number): number {
  const nudged = Math.abs(value) * (1 + Number.EPSILON * 4);
  return Math.sign(value) * Math.floor(nudged + 0.5) + 0;
}

/** Rounds a product to an integer after removing binary rounding error (6 decimals). */
export const roundProduct = (value: number) => roundHalfAway(Number(value.toFixed(6)));

/** Converts a major-unit amount (dollars, yen) to integer minor units (cents; yen have none), halves away from zero. */
export function toMinor(amount: number, currency: Currency): number {
  return roundHalfAway(amount * 10 ** findExponent(currency));
}

/** Converts integer minor units to the wire amount (12345 USD minor → 123.45). */
export function toMajor(amountMinor: number, currency: Currency): number {
  return amountMinor / 10 ** findExponent(currency);
}
