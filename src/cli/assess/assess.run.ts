import { FAIL_ON_KINDS } from '../../config/fail-on.ts';
import { readFailOn } from '../../config/settings.ts';
import { isObject } from '../../lib/fields.ts';
import type { FlagsOf } from '../commands.ts';
import { assessLocally, checkPrices } from '../local-engine.ts';
import { renderResult } from '../outputs/kinds.ts';
import { chooseOutputs, chooseUsualKind, type Output } from '../outputs/parse-output.ts';
import { nameOutputs, refuseOverwrites } from '../outputs/refuse-overwrites.ts';
import { openRun } from '../outputs/run.ts';
import { createFileView, createScreenView } from '../outputs/view.ts';
import { openAttempts, reportWritten, writeOutputs } from '../outputs/write-outputs.ts';
import { type Asker, createTerminalAsker } from '../terminal/asker.ts';
import type { CliContext } from '../terminal/context.ts';
import { decideAssessment } from '../terminal/decide-exit.ts';
import { write, writeStatus } from '../terminal/output.ts';
import { askMarketValue } from './assess-interview.ts';
import { applyFlags, readRequest } from './request-from.ts';

/** Runs `vehi assess`: reads or prompts for the damages, prices them, writes the outputs, sets the exit code. */
export async function runAssess(
  file: string | undefined,
  flags: FlagsOf<'assess'>,
  ctx: CliContext,
  createAsker: (ctx: CliContext) => Promise<Asker> = createTerminalAsker,
): Promise<void> {
  const { settings, page, now } = await openRun(flags, ctx);
  const conditions = readFailOn(settings, FAIL_ON_KINDS.assess);
  const { print, files: outputs } = chooseOutputs(flags, 'assess', chooseUsualKind(settings, 'assess'), ctx);
  await refuseOverwrites(nameOutputs(outputs), { args: file === undefined ? [] : [file], flags }, ctx);
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
  const view = {
    quiet: Boolean(flags.quiet),
    options: Boolean(flags.options),
    explain: Boolean(flags.explain),
    ...conditions,
    page,
    now,
  };
  const result = { inspection: null, assessment: envelope };
  const contents = ({ kind }: Output) => renderResult(kind, result, createFileView(view));
  const attempts = openAttempts(ctx);
  const written = await writeOutputs(outputs, contents, attempts, ctx);
  await write(ctx.stdout, await renderResult(print, result, createScreenView(view, ctx)));
  if (!flags.quiet && print === 'table') await reportWritten(written, ctx);
  await attempts.settle();
  const { code, message } = decideAssessment(envelope.data.summary, conditions);
  if (message !== undefined) await writeStatus(ctx, `vehi: ${message}`);
  ctx.setExitCode(code);
}
