import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FailConditions, FailingCommand } from '../../config/fail-on.ts';
import { readFailOn, readSettings, type Settings } from '../../config/settings.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import type { PdfOptions } from '../../report/pdf/document.ts';
import { parseNow } from '../terminal/clock.ts';
import type { CliContext } from '../terminal/context.ts';
import { openRedaction, type Redaction } from './redaction.ts';

/** A command that writes results: its flags, what they and the settings decide, and the conditions that fail it. */
export interface Run<F extends object = object> extends FailConditions {
  readonly flags: F;
  readonly ctx: CliContext;
  readonly settings: Settings;
  readonly now: () => Date;
  readonly page: Omit<PdfOptions, 'generatedAt'>;
  readonly redaction: Redaction;
}

/**
 * Reads the settings once, and everything derived from them.
 * @param flags parsed flags; those that are settings take precedence
 * @param command decides which conditions are accepted; `inspect` unless given
 * @throws VehiError usage for an invalid setting or time, FONT_UNUSABLE if the font file is unreadable
 */
export async function openRun<F extends { readonly now?: string }>(
  flags: F,
  ctx: CliContext,
  command?: FailingCommand,
): Promise<Run<F>> {
  const settings = readSettings(flags, ctx);
  const time = flags.now === undefined ? undefined : parseNow(flags.now);
  const { font, page_size, language, redact } = settings;
  return {
    ...readFailOn(settings, command),
    flags,
    ctx,
    settings,
    now: () => time ?? ctx.now(),
    page: {
      pageSize: page_size.value ?? undefined,
      language: language.value ?? undefined,
      extraFont: font.value === null ? undefined : await readFont(font.value, font.from, ctx),
    },
    redaction: openRedaction(redact, ctx),
  };
}

/** Reads the font of a report. @throws VehiError usage naming its origin and the file */
export const readFont = async (file: string, from: string, ctx: CliContext): Promise<Uint8Array> =>
  readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    const reason = toReason(cause);
    throw new VehiError('usage', 'FONT_UNUSABLE', `${from}: the font ${file} cannot be read: ${reason}`);
  });
