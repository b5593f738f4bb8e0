import { CLAIM_HELP, VEHICLE_HELP } from '../outputs/claim-file.ts';
import { defineFontOption, definePageSizeOption } from '../outputs/page-options.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect, parsePath } from '../terminal/option-values.ts';
import type { ReportFlags } from './report.run.ts';

/** Adds `vehi report` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('report')
    .description('Makes a report of an inspection or an assessment for the claim file.')
    .argument('<source>', 'JSON of vehi inspect or vehi assess, - for stdin, or the id of a kept result')
    .optionsGroup('Content:')
    .option('--assessment <source>', 'an assessment of the same vehicle, for one report of both')
    .option('--claim <facts>', CLAIM_HELP, collect)
    .option('--vehicle <facts>', VEHICLE_HELP, collect)
    .option('--photos <dir>', 'folder of the photos (default: where they were inspected)', parsePath)
    .option('--redact', 'blur the number plates that are found in every picture written (not faces)')
    .option('--redact-strict', 'the same, and show no photo in which no plate was found')
    .option(
      '--redact-regions <file>',
      'JSON of regions to blur: {"front.jpg": [{"x":0,"y":0,"width":9,"height":9}]}',
      parsePath,
    )
    .optionsGroup('Output:')
    .option('--format <name>', 'pdf, html, json, csv, sarif, junit, github, markdown or coco, on stdout')
    .option('-o, --output <kind=file>', 'write a report to a file, e.g. pdf=report.pdf; repeatable', collect)
    .addOption(definePageSizeOption())
    .option(
      '--fail-on <conditions>',
      'a severity that fails in junit and is an error in github; unchecked: places to check fail in junit',
    )
    .addOption(defineFontOption())
    .option('-q, --quiet', 'do not say which files were written')
    .option('--now <time>', 'the time to write into the report, for repeatable output')
    .examples(
      ['vehi report result.json', 'writes <id>.pdf'],
      'vehi report result.json -o pdf=claim.pdf -o html=claim.html',
      'vehi report result.json --assessment estimate.json -o claim.pdf --page-size Letter',
      'vehi inspect photos --json | vehi report - --format markdown',
    )
    .notes(
      'A photo is shown only when its file is the one that was inspected (same SHA-256).',
      '--redact blurs what its model recognises as a number plate, and says per photo how many it found. It misses about a sixth of them and does not look for faces: check the pictures before you send them. Name what it missed in --redact-regions; there, a photo with an empty list is one that you have checked, which --redact-strict then shows.',
    )
    .exits({ inputRejected: 'no result of vehi', engine: '--redact without a model that finds plates' })
    .action(async (source: string, flags: ReportFlags) =>
      (await import('./report.run.ts')).runReport(source, flags, ctx),
    );
}
