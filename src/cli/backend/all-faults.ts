import { VehiError } from '../../lib/errors.ts';

interface Fault {
  readonly field?: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Returns the error with every fault of its `details.errors` in the message, one line each; unchanged where there is
 * only one.
 */
export function listAllFaults(error: VehiError): VehiError {
  const faults = error.details?.errors as readonly Fault[] | undefined;
  if (faults === undefined || faults.length < 2) return error;
  const lines = faults.map(({ field, message, hint }) => {
    const said = field === undefined || message.includes(field) ? message : `${field}: ${message}`;
    return `  ${said}${hint === undefined ? '' : ` ${hint}`}`;
  });
  const { file } = error.details as { file?: string };
  const head = `${file === undefined ? '' : `${file}: `}${faults.length} faults:`;
  return new VehiError(error.kind, error.code, `${head}\n${lines.join('\n')}`, {
    hint: file === undefined ? undefined : error.hint,
    field: error.field,
    details: error.details,
  });
}
