import { Option } from 'commander';
import { ENVIRONMENTS, PRECISIONS } from '../../domain/choices.ts';
import { SENSITIVITIES } from '../../domain/sight/detection.ts';
import { CLAIM_HELP, VEHICLE_HELP } from '../outputs/claim-file.ts';
import { EDIT_HELP, SETTLEMENT_HELP } from '../outputs/estimate-flags.ts';
import { defineFontOption, definePageSizeOption } from '../outputs/page-options.ts';
import { defineCurrencyOption, defineRegionOption, defineRegionsOption } from '../outputs/price-options.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect, parseNumberBetween, parsePath, parseWholeBetween } from '../terminal/option-values.ts';
import { checkBaseline, checkEstimateFlags, type InspectFlags, isFleet, WAIT_SECONDS } from './flags.ts';

/** Adds `vehi inspect` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('inspect')
    .description('Finds the damage in photos of one vehicle, grades the vehicle and prices the repair.')
    .argument('[photos...]', 'photos, folders, globs; - reads a list of paths from stdin')
    .optionsGroup('Photos:')
    .option('-r, --recursive', 'look into sub-folders too')
    .option('--vehicle-id <id>', 'id of the vehicle (default: vehi.json, else the name of the folder)')
    .option('--strict', 'any rejected photo, or fewer than four, is an error (exit 3)')
    .option('--claim <facts>', CLAIM_HELP, collect)
    .option('--vehicle <facts>', VEHICLE_HELP, collect)
    .option(
      '--baseline <result>',
      'compare with an earlier inspection of the vehicle (JSON or kept id)',
      parsePath,
    )
    .optionsGroup('Many vehicles:')
    .option(
      '--per-folder',
      'each sub-folder is a vehicle; --output FOLDER for the results, KIND=FOLDER for more',
    )
    .option('--vehicles <csv>', 'a list with the columns vehicle_id and folder (relative to the list)')
    .option('--resume', 'skip vehicles whose result is there for the same photos, options and models')
    .option(
      '--shard <i/n>',
      'only shard I of N of the vehicles, chosen by name: for many machines with one fleet',
    )
    .option('--concurrency <n>', 'vehicles at once (default: 2)', parseWholeBetween(1, 256))
    .optionsGroup('Findings:')
    .option('--detailed', 'measure the damage in centimetres')
    .option('--hidden-damage', 'list what may be damaged out of sight')
    .option(
      '--min-confidence <share>',
      'list every find from this confidence on, none below, 0 to 1',
      parseNumberBetween(0, 1),
    )
    .addOption(
      new Option('--sensitivity <level>', 'high misses less, with more false alarms').choices(SENSITIVITIES),
    )
    .optionsGroup('Prices:')
    .addOption(defineRegionOption())
    .addOption(defineRegionsOption())
    .addOption(defineCurrencyOption())
    .option('--assess', 'also price every way of repairing what was found (as vehi assess does)')
    .option('--edit <line:change>', `with --assess: ${EDIT_HELP}`, collect)
    .option('--settlement <facts>', `with --assess: ${SETTLEMENT_HELP}`, collect)
    .optionsGroup('Output:')
    .addOption(new Option('--json', 'the result as one JSON document on stdout').conflicts('format'))
    .option('--format <name>', 'table, json, csv, parts, sarif, junit, github, markdown or coco')
    .option(
      '-o, --output <file>',
      'write the JSON to a file, or KIND=FILE for another kind; repeatable',
      collect,
    )
    .option(
      '--annotated <dir>',
      'write the photos with numbered boxes into a folder (many vehicles: one below it each)',
      parsePath,
    )
    .option('--review', 'correct the result on a page in the browser (see vehi review)')
    .option('--save', 'keep the result for vehi history, report and compare')
    .option('--redact', 'blur the number plates that are found in every picture written (not faces)')
    .option('--redact-strict', 'the same, and show no photo in which no plate was found')
    .option('--redact-regions <file>', 'blur the regions this JSON names (see vehi report)', parsePath)
    .addOption(definePageSizeOption())
    .addOption(defineFontOption())
    .option('-q, --quiet', 'only the summary, the damages and the places to check')
    .option('--verbose', 'also codes, and the figures that photos were judged by')
    .option(
      '--fail-on <conditions>',
      'exit 1 on any of them: minor to critical (that or worse), "cost>5000", "score<6", unchecked',
    )
    .optionsGroup('Engine:')
    .option('--models <dir>', 'folder with manifest.json and the models (VEHI_MODEL_DIR)')
    .option('--threads <n>', 'threads that run the models', parseWholeBetween(1, 256))
    .addOption(new Option('--precision <name>', 'which file of the models runs').choices(PRECISIONS))
    .option('--now <time>', 'the time to write into the result, for repeatable output')
    .optionsGroup('Service:')
    .option('--remote', 'let a vehi service do the work (vehi auth login)')
    .option('--base-url <url>', 'address of that service (VEHI_BASE_URL)')
    .option('--api-key-file <file>', 'read its key from a file')
    .addOption(new Option('--profile <name>', 'which stored key (vehi auth status)').choices(ENVIRONMENTS))
    .option('--wait <seconds>', 'how long the service may take', parseNumberBetween(0, 86_400), WAIT_SECONDS)
    .examples(
      'vehi inspect ./photos',
      "vehi inspect front.jpg rear.jpg 'sides/*.heic' --region EU_GERMANY --currency EUR",
      'vehi inspect ./photos --json --fail-on moderate > result.json',
      'ls *.jpg | vehi inspect - --annotated marked',
      'vehi inspect ./fleet --per-folder --output results --resume',
      'vehi inspect ./fleet --per-folder -o results --resume --shard 3/16',
      'vehi inspect ./fleet --per-folder -o results -o pdf=reports --annotated marked --assess',
      'vehi inspect ./photos --claim claim_number=C-4711 --vehicle vin=1M8GDM9AXKP042788 -o claim.pdf',
      'vehi inspect ./photos --assess --settlement deductible=500,towing=150 -o claim.pdf',
      'vehi inspect ./return --baseline handover.json --fail-on new',
      'vehi inspect --vehicles list.csv --fail-on "severe,cost>5000,score<6,unchecked"',
    )
    .notes(
      'Many vehicles: one JSON per vehicle, summary.csv and a table; a folder that fails is a row and never stops the rest. The exit code is the worst of all vehicles: interrupted before models, no usable photo, threshold.',
    )
    .exits({
      thresholdHit: 'a threshold was hit',
      inputRejected: 'no usable photo (or --strict)',
      engine: 'models',
      remote: 'with --remote: the service or the key',
      interrupted: 'interrupted; what was found is written',
    })
    .action(async (photos: string[], flags: InspectFlags) => {
      checkEstimateFlags(flags);
      checkBaseline(flags);
      if (isFleet(flags)) await (await import('../fleet/run-fleet.ts')).runFleet(photos, flags, ctx);
      else await (await import('./inspect.run.ts')).runInspect(photos, flags, ctx);
    });
}
