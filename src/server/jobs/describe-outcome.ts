import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import type { InspectionOutcome, InspectionRecord } from '../../storage/ports.ts';
import type { Services } from '../services.ts';
import { makeEmptyInspection } from './visual-job.ts';

/** Returns why a failure happened, in words for the caller; internal details are left out. */
function explainFailure(error: unknown): {
  code: string;
  message: string;
  field?: string;
  details?: unknown;
} {
  if (!(error instanceof VehiError))
    return { code: 'INTERNAL_ERROR', message: 'The analysis failed through a fault of the service.' };
  const { code, field, details } = error;
  // Messages about models name files of this machine.
  const message = code.startsWith('MODEL_')
    ? 'The service cannot load its models; its operator has to fix that.'
    : error.message;
  return {
    code,
    message,
    ...defined({ field, details }),
  };
}

/** Returns the stored result of a failed analysis. */
export function describeFailed(
  record: InspectionRecord,
  error: unknown,
  { stopwatch }: Services,
): Omit<InspectionOutcome, 'messages'> {
  const failure = explainFailure(error);
  const { completedAt, processingTime } = stopwatch.read(record.id, record.createdAt);
  const document = makeEmptyInspection(record.id, record.vehicleId, record.createdAt, {
    completedAt,
    processingTime,
    ...failure,
  });
  const meta = { ...(record.meta as object), processing_time: processingTime, failure };
  return { status: 'failed', completedAt, document, meta };
}

/** Returns the stored result of an analysis that succeeded. */
export function describeAnalysed({ data, meta }: InspectionEnvelope): Omit<InspectionOutcome, 'messages'> {
  const status = data.status === 'failed' ? 'failed' : 'completed';
  return { status, completedAt: data.completed_at ?? data.created_at, document: data, meta };
}
