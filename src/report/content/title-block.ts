import type { Result } from '../../contract/result.ts';
import { describeVehicle, listClaimFacts } from '../facts.ts';
import { formatDateTime } from '../figures.ts';
import { readVehicleId } from '../finding-rows.ts';
import { chooseLanguage } from './language.ts';
import { describeReviewer } from './review.ts';
import { translateFact } from './translate.ts';

/** Title block of a report. */
export interface TitleBlock {
  /** Vehicle description, or the vehicle id if there is none. */
  readonly title: string;
  /** Claim, plate, VIN and other references; empty if none were given. */
  readonly references: string;
  /** Inspection date and review status. */
  readonly status: string;
}

/** Builds the title block in the report's language. */
export function writeTitleBlock(input: Result, generatedAt: Date): TitleBlock {
  const { say } = chooseLanguage(input);
  const { inspection, assessment } = input;
  const vehicle = describeVehicle(input);
  const data = inspection?.data;
  const at =
    data?.completed_at ?? data?.created_at ?? assessment?.data.created_at ?? generatedAt.toISOString();
  const facts = listClaimFacts(input).filter(([label]) => label !== 'Vehicle');
  return {
    title: vehicle ?? readVehicleId(input),
    references: [
      ...(vehicle === undefined ? [] : [readVehicleId(input)]),
      ...facts.map((fact) => translateFact(fact, say).join(' ')),
    ].join(' · '),
    status: [
      `${inspection ? 'Inspected' : 'Assessed'} ${formatDateTime(at)}`,
      ...(inspection ? [describeReviewer(input) ?? 'not reviewed'] : []),
    ]
      .map(say)
      .join(', '),
  };
}
