import { describe, expect, it } from 'vitest';
import {
  formatDateTime,
  formatMoney,
  formatMoneyRange,
  formatNumber,
  formatPercent,
  formatRoundMoney,
  formatSize,
  namePhoto,
  roundLengthCm,
  type Sized,
  shortenMiddle,
} from '../../../src/report/figures.ts';

describe('file names', () => {
  it.each([
    ['in/a/1.jpg in/b/1.jpg in/b/2.jpg', 'a/1.jpg b/1.jpg 2.jpg'],
    ['in/a/1.jpg out/a/1.jpg', 'in/a/1.jpg out/a/1.jpg'],
    ['https://p.test/a/1.jpg?signed=X&u=/q/z https://p.test/b/1.jpg?signed=X&u=/q/z', 'a/1.jpg b/1.jpg'],
    ['https://ada:KEY@p.test/1.jpg?s https://p.test/1.jpg?t#x', 'https://p.test/1.jpg https://p.test/1.jpg'],
  ])('the photos %s are named %s', (urls, names) => {
    const photos = urls.split(' ').map((url) => ({ url }));
    expect(photos.map(({ url }) => namePhoto(url, photos)).join(' ')).toBe(names);
  });
});

const measured = (measurements: NonNullable<Sized['measurements']>): Sized => ({ measurements, explain: [] });
const judged = (cm: number | null): Sized => ({
  explain: [
    { rule: 'locate.mask_overlap', inputs: { long_side_cm: 99 } },
    { rule: 'severity.scratch', inputs: { long_side_cm: cm } },
  ],
});

describe('figures', () => {
  it.each<[string, Sized, string | undefined]>([
    ['both sides', measured({ length: 31, width: 2, uncertainty_cm: 4 }), '31 × 2 ±4 cm'],
    ['a diameter', measured({ diameter: 6, uncertainty_cm: 1.5 }), 'Ø 6 ±2 cm'],
    ['millimetres', measured({ length: 1.25, width: 0.4, uncertainty_cm: 0.6 }), '1.5 × 0.5 ±0.5 cm'],
    ['what is measured first', { ...measured({ length: 31, uncertainty_cm: 4 }), ...judged(50) }, '31 ±4 cm'],
    ['by its interval', measured({ length: 129.4, width: 62.8, uncertainty_cm: 49.2 }), '130 × 65 ±50 cm'],
    ['what was judged, whole', judged(9.6), '~10 cm'],
    ['what was judged, to halves where an interval is under a centimeter', judged(2.6), '~2.5 cm'],
    ['what was judged, to millimeters below a centimeter', judged(0.42), '~0.4 cm'],
    ['what a step would round to nothing', measured({ length: 0.2, uncertainty_cm: 0.4 }), '0.2 ±0.5 cm'],
    ['nothing where no size was judged', judged(null), undefined],
  ])('a size: %s', (_name, sized, text) => {
    expect(formatSize(sized)).toBe(text);
  });

  it.each<[Sized, number | undefined]>([
    [measured({ length: 31, width: 2, uncertainty_cm: 9.6 }), 31],
    [measured({ diameter: 118.6, uncertainty_cm: 37 }), 120],
    [judged(36.2), 36],
  ])('the length alone of %j', (sized, text) => {
    expect(roundLengthCm(sized)).toBe(text);
  });

  it.each([
    [formatMoney(1234.5, 'USD'), '$1,234.50'],
    [formatMoney(-0.5, 'EUR'), '−€0.50'],
    [formatMoney(1234.5, 'JPY'), '¥1,235'],
    [formatMoney(null, 'USD'), '–'],
    [formatMoney(12, 'CHF'), 'CHF 12.00'],
    [formatMoney(-0.001, 'USD'), '$0.00'],
    [formatMoney(-0.001, 'CREDITS'), 'CREDITS 0.00'],
    [formatMoneyRange(5, Number.NaN, 'USD'), '–'],
    [formatMoneyRange(-5, -3, 'USD'), '−$5 – −$3'],
    [shortenMiddle('abcdefghij', 1), '…j'],
    [shortenMiddle('abcdefghij', 5), 'ab…ij'],
    [formatMoneyRange(2, 2, 'GBP'), '£2'],
    [formatNumber(-0.04), '0'],
    [formatPercent(undefined), '–'],
    [formatDateTime('2026-11-20T19:52:31+01:00'), '2026-11-20 18:52 UTC'],
    [formatDateTime('soon'), 'soon'],
  ])('%s', (text, expected) => {
    expect(text).toBe(expected);
  });
});

it.each([
  [6581, '$6,600'],
  [9.4, '$9'],
  [0, '$0'],
  [-3558, '−$3,600'],
])('%d has two significant digits for people: %s', (amount, text) => {
  expect(formatRoundMoney(amount, 'USD')).toBe(text);
});
