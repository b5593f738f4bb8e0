import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi compare` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('compare')
    .description(
      'Compares two inspections of one vehicle: new, worse, unchanged and repaired damage (rental return, end of lease).',
    )
    .argument('<before>', 'JSON of vehi inspect, an evidence file, or the id of a saved result')
    .argument('<after>', 'the same, later')
    .flags({
      json: 'the comparison as one JSON document on stdout',
      'report.output': 'write pdf=FILE, html=FILE, json=FILE or evidence=FILE; repeatable',
      now: 'the time to write into the report, for repeatable output',
    })
    .examples(
      'vehi compare handover.json return.json',
      'vehi compare handover.json return.json -o pdf=return.pdf --fail-on new',
    )
    .notes(
      'vehi looks for each damage in the photos of the other visit; without those photos it reports none as new or repaired.',
    )
    .exits({
      thresholdHit: '--fail-on was hit',
      inputRejected: 'not a vehi inspection, or another vehicle',
    })
    .action(async (before: string, after: string, flags: FlagsOf<'compare'>) =>
      (await import('./compare.run.ts')).runCompare(before, after, flags, ctx),
    );
}
