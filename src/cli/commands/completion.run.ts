import { CURRENCY_CODES } from '../../domain/money.ts';
import { PART_NAMES } from '../../domain/parts.ts';
import { loadTables } from '../../pricing/index.ts';
import { completionScript, type Shell } from '../completion.ts';
import type { CliContext } from '../context.ts';
import { TEXT_KINDS } from '../inspection-output.ts';
import { write } from '../output.ts';
import { program } from '../program.ts';

/** Runs `vehi completion`. */
export async function runCompletion(shell: Shell, ctx: CliContext): Promise<void> {
  const regions = loadTables().regions.rows.map((row) => row.code);
  const values = {
    '--region': regions,
    '--currency': CURRENCY_CODES,
    '--format': TEXT_KINDS,
    '--damage': PART_NAMES,
  };
  await write(ctx.stdout, completionScript(shell, await program(ctx, 'all'), values));
}
