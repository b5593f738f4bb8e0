import type { VehiCommand } from '../terminal/command.ts';
import type { CliContext } from '../terminal/context.ts';
import type { ReviewFlags } from './page.ts';

/** Adds `vehi review` to the command tree. */
export function define(root: VehiCommand, ctx: CliContext): void {
  root
    .command('review')
    .description(
      'Opens a page in the browser to correct a result: accept, reject, change, add and merge damage, with the price as it changes. Writes the corrected result with the earlier values.',
    )
    .argument('<result>', 'JSON of vehi inspect, or the id of a saved result')
    .flags({
      now: 'the time to write into the review',
      regions: 'regions of your own, added to the price table',
      models: 'folder with manifest.json and the models, for boxes that are drawn',
    })
    .examples(
      'vehi review result.json',
      'vehi review result.json --decisions decisions.json -o corrected.json',
    )
    .notes(
      'The page is served on this machine only, through a link that works once. Every decision is saved immediately in RESULT.review.json; run the command again to resume.',
      'A decision: {"damage_id": "dmg_hood_001", "decision": "accept", "reject" or "change", "type", "severity", "part", "box"}, {"decision": "add", "image_index", "box", "type"}, {"decision": "merge", "damage_id", "into"}, {"decision": "nothing_more", "image_index"}, {"decision": "price", "line", "cost"}, {"decision": "include" or "exclude", "line_id"}',
    )
    .exits({
      inputRejected: 'a result or decisions that cannot be used',
      engine: 'models, for boxes that are drawn',
      interrupted: 'interrupted; the decisions are saved',
    })
    .action(async (result: string, flags: ReviewFlags) =>
      (await import('./review.run.ts')).runReview(result, flags, ctx),
    );
}
