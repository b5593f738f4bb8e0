import type { AssessmentEnvelope } from '../../../src/contract/assessment/assessment.ts';
import { assess } from '../../../src/engine/assess/assess.ts';
import type { Tables } from '../../../src/pricing/tables/load.ts';
import { checkShippedTables } from './check-tables.ts';

export const TABLES: Tables = checkShippedTables();
const NOON = new Date('2026-01-31T12:00:00Z');

/** An assessment with the clock standing still; defaults as on the command line. */
export function assessed(request: Record<string, unknown>, tables: Tables = TABLES): AssessmentEnvelope {
  return assess(
    { vehicle_id: 'veh_test', ...request },
    {
      tables,
      defaults: { region: 'US_MIDWEST', currency: 'USD' },
      softwareVersion: '0.0.0-test',
      now: () => NOON,
      assessmentId: 'asmt_TEST',
      requestId: 'req_TEST',
    },
  );
}

/** The lines of the panels themselves and of their paint: no materials, fees, or what a repair usually brings. */
export function workOf({ data }: Pick<AssessmentEnvelope, 'data'>) {
  return data.estimate.lines.filter(({ group }) => group === 'part' || group === 'refinish');
}

/** The lines that a repair usually brings. */
export function expectedOf({ data }: Pick<AssessmentEnvelope, 'data'>) {
  return data.estimate.lines.filter(({ group }) => group === 'expected');
}

/** Hours and amount of each line that counts in the total, by operation and part. */
export function linesOf({
  data,
}: Pick<AssessmentEnvelope, 'data'>): Record<string, [hours: number, amount: number]> {
  const counted = data.estimate.lines.filter((line) => line.counted_in === 'total');
  return Object.fromEntries(
    counted.map((line) => [`${line.operation} ${line.part}`, [line.hours, line.amount]]),
  );
}
