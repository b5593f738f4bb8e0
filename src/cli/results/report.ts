import { listPrintedWords } from '../outputs/kinds.ts';
import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { FlagsOf } from '../terminal/options.ts';

/** Adds `vehi report` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('report')
    .description('Makes a report of an inspection or an assessment for the claim file.')
    .argument('<source>', 'JSON of vehi inspect or vehi assess, - for stdin, or the id of a saved result')
    .flags({
      format: `${listPrintedWords('report')}, on stdout`,
      failOn:
        'a severity that fails in junit and is an error in github; unchecked: places to check fail in junit',
      now: 'the time to write into the report, for repeatable output',
    })
    .examples(
      ['vehi report result.json', 'writes <id>.pdf'],
      'vehi report result.json -o pdf=claim.pdf -o html=claim.html',
      'vehi report result.json --assessment estimate.json -o claim.pdf --page-size Letter',
      'vehi inspect photos --json | vehi report - --format markdown',
    )
    .notes(
      'A photo is shown only when its file is the one that was inspected (same SHA-256).',
      'What a model recognises as a number plate is blurred in pictures, unless --redact off. It misses about a sixth of them and does not look for faces: check the pictures before you send them.',
      'A JSON file given to --redact names what it missed: {"front.jpg": [{"x":0,"y":0,"width":9,"height":9}]}; a photo with an empty list is one that you have checked, which --redact strict then shows.',
    )
    .exits({
      inputRejected: 'not a vehi result',
      engine: '--redact on or strict without a model that finds plates',
    })
    .action(async (source: string, flags: FlagsOf<'report'>) =>
      (await import('./report.run.ts')).runReport(source, flags, ctx),
    );
}
