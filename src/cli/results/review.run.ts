import { basename } from 'node:path';
import { loadSettings, text } from '../../config/settings.ts';
import type { Damage } from '../../contract/inspection.ts';
import { pricerOf, tablesWith } from '../../engine/pricer.ts';
import { applyDecisions } from '../../engine/review/apply.ts';
import { type Decision, parseDecisions } from '../../engine/review/decisions.ts';
import { VehiError } from '../../lib/errors.ts';
import type { ReportSource } from '../outputs/report-pictures.ts';
import { type Asker, terminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { clockOf } from '../terminal/now.ts';
import { writeFileWhole } from '../terminal/output.ts';
import { tell } from '../terminal/progress.ts';
import { readJson } from '../terminal/read-json.ts';
import { askDecisions } from './ask.ts';
import { closeUps } from './close-ups.ts';
import { readSource } from './report-source.ts';

/** Flags of `vehi review` as commander hands them over. */
export interface ReviewFlags {
  readonly photos?: string;
  readonly decisions?: string;
  readonly output?: string;
  readonly regions?: string;
  readonly now?: string;
}

/** Runs `vehi review`: decisions by questions or from a file, then the corrected result. Nothing is written before the end. */
export async function runReview(
  source: string,
  flags: ReviewFlags,
  ctx: CliContext,
  asker?: Asker,
): Promise<void> {
  const now = clockOf(flags.now, ctx);
  if (flags.decisions === undefined && !ctx.interactive) {
    throw new VehiError('usage', 'NOT_INTERACTIVE', 'vehi review asks questions, and this is no terminal.', {
      hint: 'Give --decisions FILE: a JSON list of {"damage_id", "decision": "accept", "reject" or "change"}.',
    });
  }
  if (source === '-' && (flags.decisions === undefined || flags.decisions === '-')) {
    const hint = 'Name the file of the result, or give --decisions FILE.';
    throw new VehiError('usage', 'INVALID_REQUEST', 'stdin cannot hold both the result and the decisions.', {
      hint,
    });
  }
  const found = await readSource(source, ctx);
  const { inspection } = found;
  if (!inspection?.data.results)
    throw new VehiError('input', 'NOTHING_TO_REVIEW', `${source} holds no inspection with findings.`);
  const { damages } = inspection.data.results;
  const settings = loadSettings({ regions: flags.regions }, ctx.env, ctx.cwd);
  const tables = await tablesWith(text(settings.regions) ?? undefined);
  const pricer = pricerOf(tables, inspection.meta.region, inspection.meta.currency);
  if (inspection.data.region && inspection.data.region.table_version !== pricer.region.table_version)
    await tell(
      ctx,
      'vehi: the price table has changed since; only changed findings are priced by the new one',
    );
  const decisions =
    flags.decisions === undefined
      ? await askWithPictures(found, damages, flags, ctx, asker)
      : parseDecisions(await readJson(flags.decisions, ctx), damages, flags.decisions);
  const reviewed = applyDecisions(inspection, decisions, pricer, now());
  const output = flags.output ?? `${source === '-' ? 'result' : withoutEnding(source)}.reviewed.json`;
  await writeFileWhole(output, `${JSON.stringify(reviewed, null, 2)}\n`, ctx.cwd);
  const count = (word: string) => decisions.filter(({ decision }) => decision === word).length;
  const left = reviewed.review.not_reviewed.length;
  await tell(
    ctx,
    `${count('accept')} accepted, ${count('reject')} rejected, ${count('change')} changed${left ? `, ${left} not reviewed` : ''}; written to ${output}`,
  );
}

async function askWithPictures(
  source: ReportSource,
  damages: readonly Damage[],
  flags: ReviewFlags,
  ctx: CliContext,
  asker: Asker | undefined,
): Promise<readonly Decision[]> {
  const pictures = await closeUps(source, flags.photos, ctx);
  try {
    const questions = asker ?? (await terminalAsker(ctx));
    return await askDecisions(damages, questions, (line) => tell(ctx, line), pictures.of);
  } finally {
    await pictures.close();
  }
}

/** The path without its `.json`. */
function withoutEnding(source: string): string {
  return basename(source) === '.json' ? source : source.replace(/\.json$/i, '');
}
