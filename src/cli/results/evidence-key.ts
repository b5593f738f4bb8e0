import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi admin evidence-key` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('evidence-key')
    .description(
      'Prints the public key that signs your evidence files, and its fingerprint; made at first use.',
    )
    .flags()
    .examples('vehi admin evidence-key', 'vehi admin evidence-key > signer.pem')
    .action(async (flags: FlagsOf<'admin evidence-key'>) =>
      (await import('./verify.run.ts')).runEvidenceKey(flags, ctx),
    );
}
