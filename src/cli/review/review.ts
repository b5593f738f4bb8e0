import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import { collect, parseNumberBetween, parsePath, parseWholeBetween } from '../terminal/option-values.ts';
import type { ReviewFlags } from './flags.ts';

/** Adds `vehi review` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('review')
    .description(
      'Opens a page in the browser to correct a result: accept, reject, change, add and merge damage, with the price as it changes. Writes the corrected result with the earlier values.',
    )
    .argument('<result>', 'JSON of vehi inspect, or the id of a kept result')
    .optionsGroup('Decisions:')
    .option('--decisions <file>', 'JSON list of decisions instead of the page; - reads stdin')
    .option('--reviewer <name>', 'who decides, written into the review')
    .option('-o, --output <file>', 'where to write (default: RESULT.reviewed.json)')
    .option('--now <time>', 'the time to write into the review')
    .optionsGroup('Result:')
    .option('--photos <dir>', 'folder of the photos (default: where they were inspected)', parsePath)
    .option('--regions <file>', 'regions of your own, added to the price table')
    .option('--models <dir>', 'folder with manifest.json and the models, for boxes that are drawn')
    .optionsGroup('Page:')
    .option('--no-open', 'only print the link')
    .option('--port <n>', 'port of the page (default: a free one)', parseWholeBetween(0, 65_535))
    .option('--host <address>', 'listen there instead of 127.0.0.1, with --allow-host (containers)')
    .option('--allow-host <name>', 'a host name that the page may be requested by; repeatable', collect)
    .option(
      '--idle-minutes <n>',
      'end after this many minutes without use (default: 60)',
      parseNumberBetween(0.01),
    )
    .examples(
      'vehi review result.json',
      'vehi review result.json --decisions decisions.json -o corrected.json',
    )
    .notes(
      'The page is served on this machine alone, by a link that works once. What is decided is kept at once in RESULT.review.json; the command goes on there when it is started again.',
      'A decision: {"damage_id": "dmg_hood_001", "decision": "accept", "reject" or "change", "type", "severity", "part", "box"}, {"decision": "add", "image_index", "box", "type"}, {"decision": "merge", "damage_id", "into"}, {"decision": "nothing_more", "image_index"}',
    )
    .exits({
      inputRejected: 'a result or decisions that cannot be used',
      engine: 'models, for boxes that are drawn',
      interrupted: 'interrupted; what was decided is kept',
    })
    .action(async (result: string, flags: ReviewFlags) =>
      (await import('./review.run.ts')).runReview(result, flags, ctx),
    );
}
