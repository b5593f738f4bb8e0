import { VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';

/** Requires a terminal to show the link, unless --no-open is set. @throws VehiError usage NOT_INTERACTIVE */
export function requireTerminal({ interactive }: CliContext, open?: boolean): void {
  if (interactive || open === false) return;
  throw new VehiError(
    'usage',
    'NOT_INTERACTIVE',
    'a review needs a person at a terminal, and this is not a terminal.',
    {
      hint: 'Give vehi review --no-open to print the link, or --decisions FILE: a JSON list of {"damage_id", "decision": "accept", "reject" or "change"}.',
    },
  );
}
