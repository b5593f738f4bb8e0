import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';

/** Throws VehiError usage NOT_INTERACTIVE where nobody is there to decide. */
export function needTerminal({ interactive }: CliContext): void {
  if (interactive) return;
  throw new VehiError(
    'usage',
    'NOT_INTERACTIVE',
    'a review needs a person at a terminal, and this is not a terminal.',
    {
      hint: 'Give vehi review --decisions FILE: a JSON list of {"damage_id", "decision": "accept", "reject" or "change"}.',
    },
  );
}
