import { Option } from 'commander';
import { ENVIRONMENTS } from '../../domain/choices.ts';
import { CLAIM_HELP } from '../outputs/claim-file.ts';
import { EDIT_HELP, SETTLEMENT_HELP } from '../outputs/estimate-flags.ts';
import { defineFontOption, definePageSizeOption } from '../outputs/page-options.ts';
import { defineCurrencyOption, defineRegionOption, defineRegionsOption } from '../outputs/price-options.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect } from '../terminal/option-values.ts';
import type { AssessFlags } from './flags.ts';

/** Adds `vehi assess` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('assess')
    .description(
      'Prices a list of damages: every sensible way of repair with parts, labour and days, the recommended one, and the vehicle as one job.',
    )
    .argument(
      '[file]',
      'JSON: a list of damages, an assessment request, or the result of `vehi inspect`; - reads stdin',
    )
    .optionsGroup('Damages:')
    .option(
      '--damage <part:type[:severity[:cm]]>',
      'a damage without a file, e.g. front_bumper:scratch:minor:12; repeatable',
      collect,
    )
    .option('--overrides <file>', "an adjuster's corrections of type, severity, option, hours or price")
    .option('--edit <line:change>', EDIT_HELP, collect)
    .option(
      '--supplement <file>',
      'an earlier estimate (its JSON): its damages, corrections and edits, with what is given here on top, as S01, S02, …',
    )
    .option('--settlement <facts>', SETTLEMENT_HELP, collect)
    .optionsGroup('Vehicle:')
    .option('--claim <facts>', CLAIM_HELP, collect)
    .option('--vehicle-id <id>', 'id of the vehicle (default: that of the file)')
    .option(
      '--vehicle <facts>',
      'e.g. make=BMW,year=2019,body=suv; also model, mileage_km, class (economy … luxury), paint (solid, metallic, three_stage), headlights, taillights, mirrors, windshield, panels, drive; to file it: vin, plate, odometer, paint_code; repeatable',
      collect,
    )
    .option('--market-value <amount>', 'value of the vehicle, e.g. 15000 or "15000 EUR"')
    .optionsGroup('Prices:')
    .addOption(defineRegionOption())
    .addOption(defineRegionsOption())
    .addOption(defineCurrencyOption())
    .addOption(
      new Option(
        '--associated <which>',
        'operations a repair usually brings: off, likely (in the first bill, by share of jobs), all (in the total)',
      ).choices(['off', 'likely', 'all']),
    )
    .option('--no-part-prices', 'leave out the prices of single parts')
    .option('--no-timeline', 'leave out the days')
    .optionsGroup('Output:')
    .addOption(new Option('--json', 'the result as one JSON document on stdout').conflicts('format'))
    .option('--format <name>', 'table, json, csv, parts, sarif, junit, github or markdown')
    .option(
      '-o, --output <file>',
      'write the JSON to a file, or KIND=FILE for another kind; repeatable',
      collect,
    )
    .addOption(definePageSizeOption())
    .addOption(defineFontOption())
    .option('--explain', 'show the operations of the recommended repairs and the rules that fired')
    .option('-q, --quiet', 'only the recommended repairs and the totals')
    .option(
      '--fail-on <conditions>',
      'exit 1 on any of them: minor to critical (that or worse), "cost>5000" (one job, without tax)',
    )
    .option('--now <time>', 'the time to write into the result, for repeatable output')
    .optionsGroup('Service:')
    .option('--remote', 'let a vehi service price the damages (vehi auth login)')
    .option('--base-url <url>', 'address of that service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read its key from a file')
    .addOption(new Option('--profile <name>', 'which stored key (vehi auth status)').choices(ENVIRONMENTS))
    .examples(
      'vehi inspect ./photos --json | vehi assess -',
      'vehi assess damages.json --region EU_GERMANY --currency EUR',
      'vehi assess --damage hood:dent:moderate:4 --damage front_bumper:crack:severe',
      'vehi assess damages.json -o pdf=estimate.pdf -o html=estimate.html',
      'vehi assess damages.json --edit 3:hours=2.5 --edit add:Subl:wheel_alignment:price=120 -o e01.json',
      'vehi assess --supplement e01.json --damage cooling_system:crack:severe --settlement deductible=500 -o s01.json',
      'vehi assess claim.json --vehicle make=BMW,mileage_km=80000 --fail-on "cost>5000"',
    )
    .notes('Without a file and on a terminal the damages are asked for, part by part.')
    .exits({
      thresholdHit: '--fail-on was hit',
      inputRejected: 'the request is wrong',
      remote: 'with --remote: the service or the key',
      interrupted: true,
    })
    .action(async (file: string | undefined, flags: AssessFlags) =>
      (await import('./assess.run.ts')).runAssess(file, flags, ctx),
    );
}
