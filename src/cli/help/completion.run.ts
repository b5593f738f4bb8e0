import { PART_NAMES } from '../../domain/parts.ts';
import { listCurrencies, loadTables } from '../../pricing/index.ts';
import { KIND_NAMES } from '../outputs/kinds.ts';
import type { WholeTree } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { write } from '../terminal/output.ts';
import { type Shell, writeCompletionScript } from './completion.ts';

/** Runs `vehi completion`. */
export async function runCompletion(shell: Shell, ctx: CliContext, wholeTree: WholeTree): Promise<void> {
  const tables = loadTables();
  const regions = tables.regions.rows.map((row) => row.code);
  const values = {
    '--region': regions,
    '--currency': listCurrencies(tables),
    '--format': KIND_NAMES,
    '--damage': PART_NAMES,
  };
  await write(ctx.stdout, writeCompletionScript(shell, await wholeTree(), values));
}
