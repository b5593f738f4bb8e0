import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FailConditions, FailingCommand } from '../../config/fail-on.ts';
import { readFailOn, readSettings, type Settings } from '../../config/settings.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import type { PdfOptions } from '../../report/pdf/document.ts';
import { chooseClock } from '../terminal/clock.ts';
import type { CliContext } from '../terminal/context.ts';
import { openRedaction, type Redaction } from './redaction.ts';

/** Context of a command that writes results, with the conditions that fail it. */
export interface Run extends FailConditions {
  readonly settings: Settings;
  readonly now: () => Date;
  readonly page: Omit<PdfOptions, 'generatedAt'>;
  readonly redaction: Redaction;
  /** Environment, which locates the user's evidence key. */
  readonly env: CliContext['env'];
}

/**
 * Reads the settings once, and everything derived from them.
 * @param flags parsed flags; those that are settings take precedence
 * @param command decides which conditions are accepted; `inspect` unless given
 * @throws VehiError usage for an invalid setting or time, FONT_UNUSABLE if the font file is unreadable
 */
export async function openRun(
  flags: { readonly now?: string },
  ctx: CliContext,
  command?: FailingCommand,
): Promise<Run> {
  const settings = readSettings(flags, ctx);
  const { font, page_size, language, redact } = settings;
  return {
    ...readFailOn(settings, command),
    settings,
    now: chooseClock(flags.now, ctx),
    page: {
      pageSize: page_size.value ?? undefined,
      language: language.value ?? undefined,
      extraFont: font.value === null ? undefined : await readFont(font.value, font.from, ctx),
    },
    redaction: openRedaction(redact, ctx),
    env: ctx.env,
  };
}

/** Reads the font of a report. @throws VehiError usage naming its origin and the file */
export const readFont = async (file: string, from: string, ctx: CliContext): Promise<Uint8Array> =>
  readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    const reason = toReason(cause);
    throw new VehiError('usage', 'FONT_UNUSABLE', `${from}: the font ${file} cannot be read: ${reason}`);
  });
