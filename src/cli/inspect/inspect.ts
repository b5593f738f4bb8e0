import { OPTIONS } from '../../config/options.ts';
import { listPrintedWords } from '../outputs/kinds.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { checkEstimateFlags, type InspectFlags, isFleet } from './flags.ts';

/** Adds `vehi inspect` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('inspect')
    .description('Finds the damage in photos of one vehicle, grades the vehicle and prices the repair.')
    .argument('[photos...]', 'photos, folders, globs; - reads a list of paths from stdin')
    .flags({
      edit: `with --assess: ${OPTIONS.edit.description}`,
      settlement: `with --assess: ${OPTIONS.settlement.description}`,
      json: 'the result as one JSON document on stdout',
      format: listPrintedWords('inspect'),
      quiet: 'only the summary, the damages and the places to check',
    })
    .examples(
      'vehi inspect ./photos',
      "vehi inspect front.jpg rear.jpg 'sides/*.heic' --region EU_GERMANY --currency EUR",
      'vehi inspect ./photos --json --fail-on moderate > result.json',
      'ls *.jpg | vehi inspect - --annotated marked',
      'vehi inspect --many ./fleet --output results --resume',
      'vehi inspect --many ./fleet -o results --resume --shard 3/16',
      'vehi inspect --many ./fleet -o results -o pdf=reports --annotated marked --assess',
      'vehi inspect ./photos --set claim_number=C-4711 --set vin=1M8GDM9AXKP042788 -o claim.pdf',
      'vehi inspect ./photos --assess --settlement deductible=500,towing=150 -o claim.pdf',
      'vehi inspect --many list.csv --fail-on "severe,cost>5000,score<6,unchecked"',
    )
    .notes(
      'Many vehicles: one JSON per vehicle, summary.csv and a table; a folder that fails becomes a row and does not stop the rest. The exit code is the worst of all vehicles, in this order: interrupted, models, no usable photo, threshold.',
    )
    .exits({
      thresholdHit: 'a threshold was hit',
      inputRejected: 'no usable photo (or --strict)',
      engine: 'models',
      remote: 'with --remote: the service or the key',
      interrupted: 'interrupted; the partial result is written',
    })
    .action(async (photos: string[], flags: InspectFlags) => {
      checkEstimateFlags(flags);
      if (isFleet(flags)) await (await import('../fleet/run-fleet.ts')).runFleet(photos, flags, ctx);
      else await (await import('./inspect.run.ts')).runInspect(photos, flags, ctx);
    });
}
