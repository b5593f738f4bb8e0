import { VehiError } from '../../lib/errors.ts';
import { readPackageVersion } from '../../lib/version.ts';
import { listChildren, type VehiCommand, type WholeTree } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { chooseClock } from '../terminal/now.ts';
import { write } from '../terminal/output.ts';
import { writeManPage } from './man-page.ts';

/** Flags of `vehi man` as commander hands them over. */
export interface ManFlags {
  readonly now?: string;
}

/** Runs `vehi man`. @throws VehiError usage for a command there is not */
export async function runMan(
  words: readonly string[],
  flags: ManFlags,
  ctx: CliContext,
  wholeTree: WholeTree,
): Promise<void> {
  let command: VehiCommand = await wholeTree();
  for (const word of words) {
    const child = listChildren(command).find((one) => one.name() === word);
    if (!child) {
      const names = listChildren(command).map((one) => one.name());
      throw new VehiError('usage', 'INVALID_REQUEST', `there is no command "${words.join(' ')}".`, {
        hint: names.length > 0 ? `Known: ${names.join(', ')}.` : 'vehi help lists the commands.',
      });
    }
    command = child;
  }
  const day = chooseClock(flags.now, ctx)().toISOString().slice(0, 10);
  await write(ctx.stdout, writeManPage(command, { version: readPackageVersion(), day }));
}
