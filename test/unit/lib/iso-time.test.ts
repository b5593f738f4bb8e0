import { expect, it } from 'vitest';
import { parseIsoTime } from '../../../src/lib/iso-time.ts';

it.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31 12:00:30', '2026-01-31T12:00:30.000Z'],
  ['2026-01-31T12:00:00.123456z', '2026-01-31T12:00:00.123Z'],
  ['2026-01-31T13:00:00+01:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T13:00:00 01:00', '2026-01-31T12:00:00.000Z'],
])('parses %s as %s, whatever the time zone of the machine', (text, expected) => {
  expect(parseIsoTime(text)?.toISOString()).toBe(expected);
});

it.each(['', '1', 'Jan 3', '2026/1/2', '2026-1-2', '2026-02-30', '2026-13-01', '2026-01-31T25:00'])(
  'rejects "%s"',
  (text) => {
    expect(parseIsoTime(text)).toBeUndefined();
  },
);
