import { listPrintedWords } from '../outputs/kinds.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi assess` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('assess')
    .description(
      'Prices a list of damages: every sensible way of repair with parts, labor and days, the recommended one, and the vehicle as one job.',
    )
    .argument(
      '[file]',
      'JSON: a list of damages, an assessment request, or the result of `vehi inspect`; - reads stdin',
    )
    .flags({
      vehicleId: 'id of the vehicle (default: that of the file)',
      json: 'the result as one JSON document on stdout',
      format: listPrintedWords('assess'),
      quiet: 'only the recommended repairs and the totals',
      failOn: 'exit 1 on any of them: minor to critical (that or worse), "cost>5000" (one job, without tax)',
      remote: 'let a vehi service price the damages (vehi auth login)',
      baseUrl: 'address of that service (VEHI_BASE_URL)',
      apiKeyFile: 'read its key from a file',
      profile: 'which stored key (vehi auth status)',
    })
    .examples(
      'vehi inspect ./photos --json | vehi assess -',
      'vehi assess damages.json --region EU_GERMANY --currency EUR',
      'vehi assess --damage hood:dent:moderate:4 --damage front_bumper:crack:severe',
      'vehi assess damages.json -o pdf=estimate.pdf -o html=estimate.html',
      'vehi assess damages.json --edit 3:hours=2.5 --edit add:Subl:wheel_alignment:price=120 -o e01.json',
      'vehi assess --supplement e01.json --damage cooling_system:crack:severe --settlement deductible=500 -o s01.json',
      'vehi assess claim.json --set make=BMW,mileage_km=80000 --fail-on "cost>5000"',
    )
    .notes('Without a file and on a terminal the damages are asked for, part by part.')
    .exits({
      thresholdHit: '--fail-on was hit',
      inputRejected: 'the request is wrong',
      remote: 'with --remote: the service or the key',
      interrupted: true,
    })
    .action(async (file: string | undefined, flags: FlagsOf<'assess'>) =>
      (await import('./assess.run.ts')).runAssess(file, flags, ctx),
    );
}
