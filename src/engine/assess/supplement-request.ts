import type { EstimateVersion } from '../../contract/assessment/lines.ts';
import type { AssessmentRequest } from '../../contract/assessment/request.ts';
import { type Currency, toMinor } from '../../domain/money.ts';
import { VehiError } from '../../lib/errors.ts';
import type { FieldFault } from '../../lib/fields.ts';
import type { EarlierEstimate, EarlierLine } from '../../pricing/lines/difference.ts';
import { REQUEST } from './request-rules.ts';

type SupplementTo = NonNullable<AssessmentRequest['supplement_to']>;

/** The earlier version that a supplement follows, as its own answer has it. */
export interface EarlierVersion {
  readonly of: EstimateVersion;
  readonly currency: string;
  readonly history: readonly EstimateVersion[];
  /** Amounts in major units of `currency`. */
  readonly lines: readonly (Omit<EarlierLine, 'amountMinor'> & { readonly amount: number })[];
}

/** Returns a fault where no version can follow. */
export function findVersionFault(earlier: SupplementTo | undefined): readonly FieldFault[] {
  const field = 'supplement_to.version';
  if (earlier?.version !== 'S99') return [];
  return [{ code: REQUEST, field, message: `${field} is S99, the last possible version.` }];
}

/** Reads the version that a supplement follows. */
export function readSupplementTo(earlier: SupplementTo): EarlierVersion {
  return {
    of: readVersion(earlier),
    currency: earlier.currency,
    history: (earlier.history ?? []).map(readVersion),
    lines: earlier.lines.map(({ line_id: id, operation, part, hours, amount }) => ({
      id,
      operation,
      part,
      hoursTenths: Math.round(hours * 10),
      amount,
    })),
  };
}

/**
 * Returns the earlier version as pricing compares with it.
 * @throws VehiError INVALID_CURRENCY where it is in another currency than the new one.
 */
export function toEarlierEstimate(earlier: EarlierVersion, currency: Currency): EarlierEstimate {
  if (earlier.currency !== currency)
    throw new VehiError(
      'input',
      'INVALID_CURRENCY',
      `supplement_to is in ${earlier.currency}, this estimate in ${currency}.`,
      { field: 'assessment_options.currency', hint: `Ask for ${earlier.currency}.` },
    );
  return {
    version: earlier.of.version,
    netMinor: toMinor(earlier.of.net_total, currency),
    grossMinor: toMinor(earlier.of.gross_total, currency),
    lines: earlier.lines.map(({ amount, ...line }) => ({ ...line, amountMinor: toMinor(amount, currency) })),
  };
}

function readVersion(given: EstimateVersion): EstimateVersion {
  const { version, assessment_id, created_at, net_total, gross_total } = given;
  return { version, assessment_id, created_at, net_total, gross_total };
}
