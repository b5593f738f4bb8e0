import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** Flags of `vehi review` as commander hands them over. */
export interface ReviewFlags {
  readonly decisions?: string;
  readonly output?: string;
  readonly regions?: string;
  readonly now?: string;
}

/** Adds `vehi review` to the tree. */
export function defineReview(root: Command, ctx: CliContext): void {
  root
    .command('review')
    .summary('go through the findings of a result: accept, reject, correct, price anew')
    .description(
      'Goes through the findings of a result: accept, reject, or change type, severity or part. Writes the corrected result with the values before beside it.',
    )
    .argument('<result>', 'JSON of vehi inspect, or the id of a kept result')
    .option('--decisions <file>', 'JSON list of decisions instead of questions; - reads stdin')
    .option('-o, --output <file>', 'where to write (default: RESULT.reviewed.json)')
    .option('--regions <file>', 'regions of your own, added to the price table')
    .option('--now <time>', 'the time to write into the review')
    .addHelpText(
      'after',
      `
Examples:
  vehi review result.json
  vehi review result.json --decisions decisions.json -o corrected.json

A decision: {"damage_id": "dmg_hood_001", "decision": "accept", "reject" or "change", "type", "severity", "part"}

Exit codes: 0 done, 2 usage, 3 a result or decisions that cannot be used, 130 interrupted (nothing is written).`,
    )
    .action(async (result: string, flags: ReviewFlags) => {
      const { runReview } = await import('./review.run.ts');
      await runReview(result, flags, ctx);
    });
}
