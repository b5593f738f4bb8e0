import type { CliContext } from '../terminal/context.ts';
import { makeUsageError } from '../terminal/usage-error.ts';

/**
 * Returns the photos to inspect, asking for them without arguments, and whether prompts led there (to the menu after).
 * @throws VehiError kind `usage` without arguments in a non-interactive run
 */
export async function choosePhotos(
  args: readonly string[],
  ctx: CliContext,
): Promise<{ readonly photos: readonly string[]; readonly isGuided: boolean }> {
  if (args.length > 0) return { photos: args, isGuided: Boolean(ctx.guided) };
  if (ctx.interactive) {
    const { promptForPath, createTerminalAsker } = await import('../terminal/asker.ts');
    const path = await promptForPath('Folder or photo', await createTerminalAsker(ctx), ctx.cwd);
    return { photos: [path], isGuided: true };
  }
  throw makeUsageError(
    "missing required argument 'photos'.",
    'Name photos or a folder, for example vehi inspect ./photos (vehi inspect --help shows how).',
  );
}
