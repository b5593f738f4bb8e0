import { ABSENT } from '../../report/figures.ts';

/** Returns a share with three decimals; a dash where nothing was measured. */
export function formatMeasuredShare(value: number | null): string {
  return value === null ? ABSENT : value.toFixed(3);
}

/** Returns a share in percent with one decimal; a dash where nothing was measured. */
export function formatMeasuredPercent(value: number | null): string {
  return value === null ? ABSENT : `${(100 * value).toFixed(1)} %`;
}
