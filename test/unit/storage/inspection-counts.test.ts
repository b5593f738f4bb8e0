// @module-tag slow: laws over hundreds of stores

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { InspectionStatus } from '../../../src/contract/inspection.ts';
import type { InspectionQuery } from '../../../src/storage/ports.ts';
import { countListed } from '../../../src/storage/sql/inspection-counts.ts';
import { splitTimeRange } from '../../../src/storage/sql/time-ranges.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { adaptSqlite } from '../../../src/storage/sqlite/dialect.ts';

it.each([
  ['days alone', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', ['day']],
  ['to now', '2026-01-01T00:00:00.000Z', undefined, ['day']],
  ['hours of a day', '2026-01-01T05:00:00.000Z', '2026-01-01T09:00:00.000Z', ['hour']],
  ['part of an hour', '2026-01-01T05:10:00.000Z', '2026-01-01T05:20:00.000Z', ['record']],
  [
    'all',
    '2026-01-01T05:10:00.000Z',
    '2026-01-09T07:20:00.000Z',
    ['record', 'record', 'hour', 'day', 'hour'],
  ],
] as const)('a time is cut into %s', (_name, after, before, kinds) => {
  expect(splitTimeRange(after, before).map(({ unit }) => unit)).toEqual(kinds);
});

/** Times around the edges of hours and days, over three days. */
const time = fc
  .record({ hour: fc.integer({ min: 0, max: 72 }), offsetMs: fc.constantFrom(-1, 0, 1, 1_800_000) })
  .map(({ hour, offsetMs }) => new Date(Date.UTC(2026, 0, 30) + hour * 3_600_000 + offsetMs).toISOString());
const status = fc.constantFrom<InspectionStatus>('processing', 'completed', 'failed');
const kind = fc.constantFrom('visual', 'damage_assessment' as const);

it('the counts are those of the records, whatever was stored, ended and removed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ time, status, kind, ended: fc.option(status), removed: fc.boolean() }), {
        maxLength: 40,
      }),
      fc.option(time, { nil: undefined }),
      fc.option(time, { nil: undefined }),
      fc.option(status, { nil: undefined }),
      fc.option(kind, { nil: undefined }),
      async (records, createdAfter, createdBefore, wantedStatus, wantedKind) => {
        const db = openDatabase(':memory:');
        for (const [i, one] of records.entries()) {
          db.run(
            `INSERT INTO inspections (id, account_id, environment, kind, vehicle_id, status, created_at, completed_at,
             attempts, document, meta, request) VALUES (?, 'acc', 'sandbox', ?, 'v', ?, ?, NULL, 1, '{}', '{}', '{}')`,
            ...[`vis_${i}`, one.kind, one.status, one.time],
          );
          if (one.ended) db.run('UPDATE inspections SET status = ? WHERE id = ?', one.ended, `vis_${i}`);
          if (one.removed) db.run('DELETE FROM inspections WHERE id = ?', `vis_${i}`);
        }
        const query = {
          ...{ accountId: 'acc', environment: 'sandbox', limit: 1, offset: 0 },
          ...(createdAfter === undefined ? {} : { createdAfter }),
          ...(createdBefore === undefined ? {} : { createdBefore }),
          ...(wantedStatus === undefined ? {} : { status: wantedStatus }),
          ...(wantedKind === undefined ? {} : { kind: wantedKind }),
        } as InspectionQuery;
        const expected = records.filter(
          (one) =>
            !one.removed &&
            one.time >= (createdAfter ?? '') &&
            one.time < (createdBefore ?? '~') &&
            (wantedStatus === undefined || (one.ended ?? one.status) === wantedStatus) &&
            (wantedKind === undefined || one.kind === wantedKind),
        ).length;
        expect(await countListed(adaptSqlite(db), query)).toBe(expected);
        db.close();
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);
