import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toReason, VehiError } from '../lib/errors.ts';
import { makeFolderSync } from '../lib/files.ts';
import { CONFIG_FOLDER_HINT, type Env, findUserConfigDir } from './settings.ts';

/** Returns the path of the key that signs evidence files. */
export const findEvidenceKeyFile = (env: Env): string => join(findUserConfigDir(env), 'evidence-key.pem');

/** Returns the user's key; null if none exists yet. @throws VehiError unless the file is an Ed25519 key */
export function readEvidenceKey(env: Env): KeyObject | null {
  const path = findEvidenceKeyFile(env);
  if (!existsSync(path)) return null;
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is a key of type ${key.asymmetricKeyType}`);
    return key;
  } catch (cause) {
    throw new VehiError('usage', 'KEY_UNREADABLE', `${path}: ${toReason(cause)}`, {
      hint: 'Restore your Ed25519 key (PEM, PKCS #8), or move the file away: vehi then creates a new key, which your recipients do not know yet.',
      cause,
    });
  }
}

/** Returns the user's key, created on first use in a file readable by its owner only (mode 0600). */
export function openEvidenceKey(env: Env): KeyObject {
  const existing = readEvidenceKey(env);
  if (existing) return existing;
  const path = findEvidenceKeyFile(env);
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  try {
    makeFolderSync(dirname(path));
    // Fails if another process created the key first; then that key is used.
    writeFileSync(path, pem, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    // A full disk must not leave an empty key.
    if ((cause as NodeJS.ErrnoException).syscall === 'write') rmSync(path);
    const other = readEvidenceKey(env);
    if (other) return other;
    throw new VehiError('usage', 'KEY_NOT_WRITABLE', `${path}: ${toReason(cause)}`, {
      hint: CONFIG_FOLDER_HINT,
      cause,
    });
  }
  return privateKey;
}
