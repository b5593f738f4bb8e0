import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readSettings } from '../../config/settings.ts';
import type { PageSize } from '../../domain/choices.ts';
import { defined } from '../../lib/defined.ts';
import { VehiError } from '../../lib/errors.ts';
import { toReason } from '../../lib/reason.ts';
import type { CliContext } from '../terminal/context.ts';

/** Options of every command that writes a PDF. */
export interface PageFlags {
  readonly pageSize?: PageSize;
}

export interface PageSettings {
  /** Undefined: what is usual in the region of the prices. */
  readonly pageSize: PageSize | undefined;
  /** A font for characters that the report's own fonts lack. */
  readonly extraFont: Uint8Array | undefined;
}

/**
 * Returns how PDFs are made: page size and font.
 * @throws VehiError usage FONT_UNUSABLE where the font's file cannot be read
 */
export async function readPageSettings({ pageSize }: PageFlags, ctx: CliContext): Promise<PageSettings> {
  const { font, page_size } = readSettings(defined({ pageSize }), ctx);
  return {
    pageSize: page_size.value ?? undefined,
    extraFont: font.value === null ? undefined : await readFont(font.value, font.from, ctx),
  };
}

async function readFont(file: string, from: string, ctx: CliContext): Promise<Uint8Array> {
  return readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    const reason = toReason(cause);
    throw new VehiError('usage', 'FONT_UNUSABLE', `${from}: the font ${file} cannot be read: ${reason}`);
  });
}
