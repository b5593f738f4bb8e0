import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi verify` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('verify')
    .description('Verifies every byte and the signature of an evidence file.')
    .argument('<file>', 'evidence file (vehi inspect -o evidence=FILE.zip)')
    .flags()
    .examples('vehi verify return.zip', [
      'vehi verify return.zip --key signer.pem',
      'a key that its owner gave you',
    ])
    .notes(
      'A key says who signed only where its fingerprint came from its owner: whoever packs and signs a file again has a key too.',
      'The owner prints it with vehi admin evidence-key.',
    )
    .exits({
      thresholdHit: 'whole, but signed by a key that is neither yours nor named by --key',
      inputRejected: 'a byte changed, a file is missing or was added, or the signature does not fit',
    })
    .action(async (file: string, flags: FlagsOf<'verify'>) =>
      (await import('./verify.run.ts')).runVerify(file, flags, ctx),
    );
}
