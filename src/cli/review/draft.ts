import { randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { InspectionEnvelope } from '../../contract/inspection.ts';
import { fits } from '../../lib/check.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { writeFileAtomic } from '../../lib/files.ts';
import { hashJson } from '../../lib/ids.ts';
import { parseJson, toJsonText } from '../../lib/json.ts';
import { type Static, Type } from '../../lib/type.ts';

/** An unfinished review, stored next to its result. */
const DraftSchema = Type.Object({
  /** Hash of the parsed result, independent of the file's formatting. */
  result_sha256: Type.String(),
  saved_at: Type.String(),
  reviewer: Type.Optional(Type.String()),
  decisions: Type.Array(Type.Unknown()),
});
type Draft = Static<typeof DraftSchema>;

/** Reads the draft in a file if it belongs to the result; another or unreadable draft is renamed and kept. */
export async function readDraft(
  path: string,
  inspection: InspectionEnvelope,
): Promise<{ readonly draft: Draft | null; readonly renamedTo: string | null }> {
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) =>
    code === 'ENOENT' ? null : Buffer.alloc(0),
  );
  if (bytes === null) return { draft: null, renamedTo: null };
  const draft = parseDraft(bytes);
  if (draft?.result_sha256 === hashJson(inspection)) return { draft, renamedTo: null };
  const renamedTo = `${path}.${randomBytes(3).toString('hex')}.old`;
  await rename(path, renamedTo);
  return { draft: null, renamedTo };
}

function parseDraft(bytes: Uint8Array): Draft | null {
  try {
    const value: unknown = parseJson(decodeText(bytes));
    return fits(DraftSchema, value) ? value : null;
  } catch {
    return null;
  }
}

/** Writes a draft atomically and flushes it to disk before returning. */
export async function writeDraft(path: string, draft: Draft, cwd: string): Promise<void> {
  await writeFileAtomic(resolve(cwd, path), toJsonText(draft), { mode: 0o600, flush: true });
}
