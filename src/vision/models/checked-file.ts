import { readFile, stat } from 'node:fs/promises';
import { VehiError } from '../../lib/errors.ts';
import { hashBytes } from '../../lib/ids.ts';

/** A model file with the digest and size stated in the manifest. */
export interface CheckedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

const HINT =
  'Reinstall vehi, or point --models DIR (VEHI_MODEL_DIR) at a folder that holds manifest.json and its models.';

/**
 * Reads a file and verifies its size and SHA-256.
 * @throws VehiError `MODEL_FILE_MISSING` or `MODEL_HASH_MISMATCH`.
 */
export async function readChecked({ path, sha256, bytes }: CheckedFile): Promise<Uint8Array<ArrayBuffer>> {
  const content = await readLimited(path, bytes, 'MODEL_FILE_MISSING', 'MODEL_HASH_MISMATCH');
  const digest = hashBytes(content);
  if (digest === sha256) return content;
  const found = `SHA-256 is ${digest} (${content.byteLength} bytes)`;
  const message = `${path}: ${found}, the manifest says ${sha256} (${bytes} bytes).`;
  const hint = `The file is damaged or of another version. ${HINT}`;
  throw new VehiError('engine', 'MODEL_HASH_MISMATCH', message, { hint });
}

/**
 * Reads a file of at most `maxBytes` bytes.
 * @throws VehiError with `missingCode` or `tooLargeCode`.
 */
export async function readLimited(
  path: string,
  maxBytes: number,
  missingCode: string,
  tooLargeCode: string,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { size } = await stat(path);
    if (size <= maxBytes) return await readFile(path);
    const message = `${path} has ${size} bytes, at most ${maxBytes} were expected`;
    throw new VehiError('engine', tooLargeCode, message, { hint: HINT });
  } catch (cause) {
    if (cause instanceof VehiError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? message})`;
    throw new VehiError('engine', missingCode, `${path} ${problem}`, { hint: HINT, cause });
  }
}
