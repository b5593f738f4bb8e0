import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings, type Settings } from '../../config/settings.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { PageSize } from '../../domain/page-size.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import type { CliContext } from '../terminal/context.ts';
import { chooseClock } from '../terminal/now.ts';
import { openRedaction, type Redaction } from './redaction.ts';

/** What a command that writes results starts with. */
export interface Run {
  readonly settings: Settings;
  readonly now: () => Date;
  readonly page: PageSettings;
  readonly redaction: Redaction;
}

export interface PageSettings {
  /** Page size; undefined: the usual one in the price region. */
  readonly pageSize: PageSize | undefined;
  /** Language of PDF and HTML; undefined: that of the price region. */
  readonly language: LanguageCode | undefined;
  /** Font for characters missing from the built-in fonts. */
  readonly extraFont: Uint8Array | undefined;
}

/**
 * Reads the settings once, and what follows from them.
 * @param flags parsed flags; those that are settings take precedence
 * @throws VehiError usage for an invalid setting or time, FONT_UNUSABLE if the font file is unreadable
 */
export async function openRun(flags: { readonly now?: string }, ctx: CliContext): Promise<Run> {
  const settings = readSettings(flags, ctx);
  const { font, page_size, language, redact } = settings;
  return {
    settings,
    now: chooseClock(flags.now, ctx),
    page: {
      pageSize: page_size.value ?? undefined,
      language: language.value ?? undefined,
      extraFont: font.value === null ? undefined : await readFont(font.value, font.from, ctx),
    },
    redaction: openRedaction(redact, ctx),
  };
}

async function readFont(file: string, from: string, ctx: CliContext): Promise<Uint8Array> {
  return readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    const reason = toReason(cause);
    throw new VehiError('usage', 'FONT_UNUSABLE', `${from}: the font ${file} cannot be read: ${reason}`);
  });
}
