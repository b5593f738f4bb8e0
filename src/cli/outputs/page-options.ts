import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PageSize } from '../../domain/choices.ts';
import { VehiError } from '../../lib/errors.ts';
import { toReason } from '../../lib/reason.ts';
import type { CliContext } from '../terminal/context.ts';

/** Options of every command that writes a PDF. */
export interface PageFlags {
  readonly pageSize?: PageSize;
  readonly font?: string;
}

export interface PageSettings {
  /** Undefined: what is usual in the region of the prices. */
  readonly pageSize: PageSize | undefined;
  /** A font for characters that the report's own fonts lack. */
  readonly extraFont: Uint8Array | undefined;
}

/**
 * Reads page size and font of a PDF from the flags.
 * @throws VehiError usage FONT_UNUSABLE where the font's file cannot be read
 */
export async function readPageSettings(
  { pageSize, font }: PageFlags,
  ctx: CliContext,
): Promise<PageSettings> {
  return { pageSize, extraFont: font === undefined ? undefined : await readFont(font, ctx) };
}

async function readFont(file: string, ctx: CliContext): Promise<Uint8Array> {
  return readFile(resolve(ctx.cwd, file)).catch((cause: unknown) => {
    const reason = toReason(cause);
    throw new VehiError('usage', 'FONT_UNUSABLE', `--font ${file} cannot be read: ${reason}`);
  });
}
