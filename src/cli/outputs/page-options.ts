import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings } from '../../config/settings.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { PageSize } from '../../domain/page-size.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { defined } from '../../lib/objects.ts';
import type { CliContext } from '../terminal/context.ts';

/** Flags of commands that write a PDF. */
export interface PageFlags {
  readonly pageSize?: PageSize;
  readonly language?: LanguageCode;
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
 * Reads page size, language and font of reports.
 * @throws VehiError usage FONT_UNUSABLE if the font file is unreadable
 */
export async function readPageSettings(
  { pageSize, language: requested }: PageFlags,
  ctx: CliContext,
): Promise<PageSettings> {
  const { font, page_size, language } = readSettings(defined({ pageSize, language: requested }), ctx);
  return {
    pageSize: page_size.value ?? undefined,
    language: language.value ?? undefined,
    extraFont: font.value === null ? undefined : await readFont(font.value, font.from, ctx),
  };
}

async function readFont(file: string, from: string, ctx: CliContext): Promise<Uint8Array> {
  return readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    const reason = toReason(cause);
    throw new VehiError('usage', 'FONT_UNUSABLE', `${from}: the font ${file} cannot be read: ${reason}`);
  });
}
