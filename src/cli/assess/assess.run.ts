import { FAIL_ON_KINDS } from '../../config/fail-on.ts';
import { isObject } from '../../lib/fields.ts';
import type { FlagsOf } from '../commands.ts';
import { assessLocally, checkPrices } from '../local-engine.ts';
import { chooseDefaultKind, chooseOutputs } from '../outputs/parse-output.ts';
import { nameOutputs, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import { writeResult } from '../outputs/write-outputs.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideAssessment } from '../terminal/decide-exit.ts';
import { writeStatus } from '../terminal/output.ts';
import { askMarketValue } from './assess-interview.ts';
import { applyFlags, readRequest } from './read-request.ts';

/** Runs `vehi assess`: reads or prompts for the damages, prices them, writes the outputs, sets the exit code. */
export async function runAssess(
  file: string | undefined,
  flags: FlagsOf<'assess'>,
  ctx: CliContext,
  createAsker: (ctx: CliContext) => Promise<Asker> = createTerminalAsker,
): Promise<void> {
  const run = await openRun(flags, ctx, FAIL_ON_KINDS.assess);
  const { settings, now } = run;
  const { print, files: outputs } = chooseOutputs(
    flags,
    'assess',
    chooseDefaultKind(settings, 'assess'),
    ctx,
  );
  await refuseOverwrites(
    nameOutputs(outputs),
    { args: file === undefined ? [] : [file], flags, settings },
    ctx,
  );
  const prices = await checkPrices(settings);
  const request = await readRequest(file, flags, prices, ctx, createAsker);
  const merged = await applyFlags(request, flags, settings);
  let envelope = await assessLocally(merged, settings, now);
  const { verdict } = envelope.data.summary.total_loss;
  if (ctx.interactive && print === 'table' && !flags.quiet && verdict === 'unknown') {
    const { currency } = envelope.meta;
    const value = await askMarketValue(await createAsker(ctx), currency);
    const vehicle = { ...(isObject(merged.vehicle) ? merged.vehicle : {}), market_value: value, currency };
    if (value !== undefined) envelope = await assessLocally({ ...merged, vehicle }, settings, now);
  }
  for (const { message } of envelope.meta.warnings ?? []) await writeStatus(ctx, `vehi: ${message}`);
  const { quiet, options, explain } = flags;
  const result = { inspection: null, assessment: envelope };
  await writeResult(
    result,
    [...outputs, { kind: print, path: '-' }],
    () => ({ ...run, quiet, options, explain }),
    { quiet: quiet || print !== 'table' },
    ctx,
  );
  const { code, message } = decideAssessment(envelope.data.summary, run);
  if (message !== undefined) await writeStatus(ctx, `vehi: ${message}`);
  ctx.setExitCode(code);
}
