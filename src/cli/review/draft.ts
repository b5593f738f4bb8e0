import { randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { fits } from '../../lib/check.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { hashJson } from '../../lib/ids.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { type Static, Type } from '../../lib/type.ts';
import { writeFileWhole } from '../terminal/output.ts';

/** An unfinished review, stored next to its result. */
const DraftSchema = Type.Object({
  /** Hash of the parsed result, independent of the file's formatting. */
  result_sha256: Type.String(),
  saved_at: Type.String(),
  reviewer: Type.Optional(Type.String()),
  decisions: Type.Array(Type.Unknown()),
});
type Draft = Static<typeof DraftSchema>;

/**
 * Reads the draft in a file if it belongs to the result; another or unreadable draft is renamed and kept, and `setAside`
 * says why, and its new path.
 * @throws VehiError usage DRAFT_UNREADABLE if it cannot be renamed
 */
export async function readDraft(path: string, inspection: InspectionEnvelope) {
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) =>
    code === 'ENOENT' ? null : Buffer.alloc(0),
  );
  if (bytes === null) return { draft: null };
  const draft = parseDraft(bytes);
  if (draft?.result_sha256 === hashJson(inspection)) return { draft };
  const why = draft === null ? 'cannot be read as saved decisions' : 'belongs to another result';
  const to = `${path}.${randomBytes(3).toString('hex')}.old`;
  await rename(path, to).catch((cause: unknown) => {
    const message = `${path} ${why}, and cannot be renamed: ${toReason(cause)}`;
    const hint = 'Move it away, or copy the result into a folder that you may write to.';
    throw new VehiError('usage', 'DRAFT_UNREADABLE', message, { hint, cause });
  });
  return { draft: null, setAside: { why, to } };
}

function parseDraft(bytes: Uint8Array): Draft | null {
  try {
    const value: unknown = parseJson(decodeText(bytes));
    return fits(DraftSchema, value) ? value : null;
  } catch {
    return null;
  }
}

/** Writes a draft atomically and flushes it to disk before returning. @throws VehiError usage OUTPUT_NOT_WRITABLE */
export const writeDraft = (path: string, draft: Draft, cwd: string): Promise<void> =>
  writeFileWhole(path, toJsonText(draft), cwd, { mode: 0o600, flush: true });
