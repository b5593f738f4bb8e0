import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { ReviewFlags } from './flags.ts';

/** Adds `vehi review` to the tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('review')
    .description(
      'Goes through the findings of a result: accept, reject, or change type, severity or part. Writes the corrected result with the earlier values next to it.',
    )
    .argument('<result>', 'JSON of vehi inspect, or the id of a kept result')
    .option('--photos <dir>', 'folder of the photos (default: where they were inspected)')
    .option('--decisions <file>', 'JSON list of decisions instead of questions; - reads stdin')
    .option('-o, --output <file>', 'where to write (default: RESULT.reviewed.json)')
    .option('--reviewer <name>', 'who decides, written into the review')
    .option('--regions <file>', 'regions of your own, added to the price table')
    .option('--models <dir>', 'folder with manifest.json and the models, for boxes that are drawn')
    .option('--now <time>', 'the time to write into the review')
    .examples(
      'vehi review result.json',
      'vehi review result.json --decisions decisions.json -o corrected.json',
    )
    .notes(
      'A decision: {"damage_id": "dmg_hood_001", "decision": "accept", "reject" or "change", "type", "severity", "part"}',
      'The close-up of a finding is shown in the terminal where that can show pictures (kitty, iTerm2, WezTerm, Ghostty); elsewhere the path of a file with it is printed, which is removed at the end.',
    )
    .exits({
      inputRejected: 'a result or decisions that cannot be used',
      interrupted: 'interrupted; nothing is written',
    })
    .action(async (result: string, flags: ReviewFlags) => {
      const { runReview } = await import('./review.run.ts');
      await runReview(result, flags, ctx);
    });
}
