import { VehiError } from '../../lib/errors.ts';

interface Fault {
  readonly field?: string;
  readonly message: string;
  readonly hint?: string;
}

/** Lists all faults of `details.errors` in the message, one per line; a single fault leaves it unchanged. */
export function listAllFaults(error: VehiError): VehiError {
  const faults = error.details?.errors as readonly Fault[] | undefined;
  if (faults === undefined || faults.length < 2) return error;
  const lines = faults.map(({ field, message, hint }) => {
    const text = field === undefined || message.includes(field) ? message : `${field}: ${message}`;
    return `  ${text}${hint === undefined ? '' : ` ${hint}`}`;
  });
  const { file } = error.details as { file?: string };
  // What stands before the file says which setting named it.
  const origin = file === undefined ? '' : error.message.slice(0, Math.max(0, error.message.indexOf(file)));
  const head = `${origin}${file === undefined ? '' : `${file}: `}${faults.length} faults:`;
  return new VehiError(error.kind, error.code, `${head}\n${lines.join('\n')}`, {
    hint: file === undefined ? undefined : error.hint,
    field: error.field,
    details: error.details,
  });
}
