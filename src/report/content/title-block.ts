import type { Result } from '../../contract/result.ts';
import { describeVehicle, listClaimFacts, readVehicleId } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import type { Say } from '../say.ts';
import { describeReviewer } from './review.ts';

export interface TitleBlock {
  /** Vehicle description, or the vehicle id if there is none. */
  readonly title: string;
  /** Claim, plate, VIN and other references; empty if none were given. */
  readonly references: string;
  /** Inspection date and review status. */
  readonly status: string;
}

export function writeTitleBlock(input: Result, generatedAt: Date, say: Say): TitleBlock {
  const { inspection, assessment } = input;
  const vehicle = describeVehicle(input);
  const data = inspection?.data;
  const at =
    data?.completed_at ?? data?.created_at ?? assessment?.data.created_at ?? generatedAt.toISOString();
  const time = say.figure(formatDateTime(at));
  const facts = listClaimFacts(input, say).filter(([label]) => label !== say`Vehicle`);
  return {
    title: vehicle ?? readVehicleId(input),
    references: [
      ...(vehicle === undefined ? [] : [readVehicleId(input)]),
      ...facts.map((fact) => fact.join(' ')),
    ].join(' · '),
    status: [
      inspection ? say`Inspected ${time}` : say`Assessed ${time}`,
      ...(inspection ? [describeReviewer(input, say) ?? say`not reviewed`] : []),
    ].join(', '),
  };
}
