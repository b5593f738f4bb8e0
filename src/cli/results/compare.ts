import { Option } from 'commander';
import { defineFontOption, definePageSizeOption } from '../outputs/page-options.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect, parsePath } from '../terminal/option-values.ts';
import type { CompareFlags } from './compare.run.ts';

/** Adds `vehi compare` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('compare')
    .description(
      'Compares two inspections of one vehicle: new, worse, unchanged and repaired damage (rental return, end of lease).',
    )
    .argument('<before>', 'JSON of vehi inspect, or the id of a kept result')
    .argument('<after>', 'the same, later')
    .optionsGroup('Photos:')
    .option(
      '--photos-before <dir>',
      'folder of the earlier photos (default: where they were inspected)',
      parsePath,
    )
    .option('--photos-after <dir>', 'folder of the later photos', parsePath)
    .option('--redact', 'blur the number plates that are found in every picture written (not faces)')
    .option('--redact-strict', 'the same, and show no photo in which no plate was found')
    .option('--redact-regions <file>', 'JSON of regions to blur (see vehi report)', parsePath)
    .optionsGroup('Comparison:')
    .option('--any-vehicle', 'compare even where the vehicle ids differ')
    .addOption(
      new Option('--fail-on <change>', 'exit 1 on new damage; worse: on new or worse damage')
        .choices(['none', 'new', 'worse'])
        .default('none'),
    )
    .optionsGroup('Output:')
    .addOption(new Option('--json', 'the comparison as one JSON document on stdout').conflicts('format'))
    .addOption(new Option('--format <name>', 'what to print').choices(['table', 'json']).default('table'))
    .option('-o, --output <kind=file>', 'write pdf=FILE, html=FILE or json=FILE; repeatable', collect)
    .addOption(definePageSizeOption())
    .addOption(defineFontOption())
    .option('-q, --quiet', 'do not say which files were written')
    .option('--now <time>', 'the time to write into the report, for repeatable output')
    .examples(
      'vehi compare handover.json return.json',
      'vehi compare handover.json return.json -o pdf=return.pdf --fail-on new',
    )
    .notes(
      '--fail-on worse counts new damage too.',
      'Places are looked for in the photos of the other visit: without those nothing is new or repaired.',
    )
    .exits({
      thresholdHit: '--fail-on was hit',
      inputRejected: 'not an inspection of vehi, or of another vehicle',
    })
    .action(async (before: string, after: string, flags: CompareFlags) =>
      (await import('./compare.run.ts')).runCompare(before, after, flags, ctx),
    );
}
