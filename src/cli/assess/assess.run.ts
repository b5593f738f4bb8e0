import type { RawRequest } from '../../engine/assess/request-from-inspection.ts';
import { VehiError } from '../../lib/errors.ts';
import { isObject } from '../../lib/fields.ts';
import { compact } from '../../lib/lists.ts';
import type { FlagsOf } from '../commands.ts';
import { checkPrices, createLocalEngine } from '../local-engine.ts';
import { chooseDefaultKind, chooseOutputs } from '../outputs/parse-output.ts';
import { nameOutputs, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import { writeResult } from '../outputs/write-outputs.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideAssessment } from '../terminal/decide-exit.ts';
import { writeStatus } from '../terminal/output.ts';
import { askMarketValue } from './assess-interview.ts';
import { applyFlags, nameFlags, readRequest } from './read-request.ts';

/** Runs `vehi assess`: reads or prompts for the damages, prices them, writes the outputs, sets the exit code. */
export async function runAssess(
  file: string | undefined,
  flags: FlagsOf<'assess'>,
  ctx: CliContext,
  createAsker: (ctx: CliContext) => Promise<Asker> = createTerminalAsker,
): Promise<void> {
  const run = await openRun(flags, ctx, 'assess');
  const { settings } = run;
  const { print, outputs } = chooseOutputs(flags, 'assess', chooseDefaultKind(settings, 'assess'), ctx);
  await refuseOverwrites(nameOutputs(outputs), run, { args: compact([file]) });
  const prices = await checkPrices(settings);
  const request = await readRequest(file, flags, prices, ctx, createAsker);
  const merged = await applyFlags(request, flags, settings);
  const engine = await createLocalEngine(run, 'when-needed');
  const price = (one: RawRequest) => {
    try {
      return engine.assess(one);
    } catch (error) {
      throw error instanceof VehiError ? nameFlags(error, one, flags) : error;
    }
  };
  let envelope = price(merged);
  const { verdict } = envelope.data.summary.total_loss;
  if (ctx.interactive && print === 'table' && !flags.quiet && verdict === 'unknown') {
    const { currency } = envelope.meta;
    const value = await askMarketValue(await createAsker(ctx), currency);
    const vehicle = { ...(isObject(merged.vehicle) ? merged.vehicle : {}), market_value: value, currency };
    if (value !== undefined) envelope = price({ ...merged, vehicle });
  }
  for (const { message } of envelope.meta.warnings ?? []) await writeStatus(ctx, `vehi: ${message}`);
  const { quiet, options, explain } = flags;
  const result = { inspection: null, assessment: envelope };
  const view = { ...run, quiet, options, explain };
  await writeResult(result, outputs, () => view, { ctx, quiet: quiet || print !== 'table' });
  const { code, message } = decideAssessment(envelope.data.summary, run);
  if (message !== undefined) await writeStatus(ctx, `vehi: ${message}`);
  ctx.setExitCode(code);
}
