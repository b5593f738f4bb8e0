import type { Result } from '../../contract/result.ts';
import { describeVehicle, listClaimFacts, pickVehicleId } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import type { Translator } from '../translator.ts';
import { describeReviewer } from './review.ts';

export interface TitleBlock {
  /** Vehicle description, or the vehicle id if there is none. */
  readonly title: string;
  /** Claim, plate, VIN and other references; empty if none were given. */
  readonly references: string;
  /** Inspection date and review status. */
  readonly status: string;
}

export function writeTitleBlock(input: Result, generatedAt: Date, t: Translator): TitleBlock {
  const { inspection, assessment } = input;
  const vehicle = describeVehicle(input, t);
  const data = inspection?.data;
  const at =
    data?.completed_at ?? data?.created_at ?? assessment?.data.created_at ?? generatedAt.toISOString();
  const time = t.figure(formatDateTime(at));
  const facts = listClaimFacts(input, t, (key) => key !== 'vehicle');
  return {
    title: vehicle ?? pickVehicleId(input),
    references: [
      ...(vehicle === undefined ? [] : [pickVehicleId(input)]),
      ...facts.map((fact) => fact.join(' ')),
    ].join(' · '),
    status: [
      inspection ? t`Inspected ${time}` : t`Assessed ${time}`,
      ...(inspection ? [describeReviewer(input, t) ?? t`not reviewed`] : []),
    ].join(', '),
  };
}
