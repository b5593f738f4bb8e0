import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { ModelUsedSchema, RegionUsedSchema } from '../contract/common.ts';
import { hashBytes } from '../lib/ids.ts';
import { toJsonText } from '../lib/json.ts';
import { type Static, Type } from '../lib/type.ts';

/** Files that the manifest cannot list: itself and its signature. */
export const MANIFEST = 'manifest.json';
export const SIGNATURE = 'manifest.sig';
/** Public key, for verifying the signature with other tools. */
export const KEY_FILE = 'key.pem';

/** Of any length, as photo addresses of the service can be; `verify` limits the size of the manifest. */
const Text = Type.String();
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const OptionalText = Type.Optional(Text);

const EvidenceFileSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
  about: Text,
  photo: Type.Optional(
    Type.Object({ url: Text, taken_at: OptionalText, camera: OptionalText, software: OptionalText }),
  ),
});
export type EvidenceFile = Static<typeof EvidenceFileSchema>;

/** List of an evidence file: the inspection, what made it, and its files, which the signature covers. */
export const ManifestSchema = Type.Object({
  format: Type.Literal('vehi-evidence-1'),
  vehicle_id: Text,
  inspection_id: Text,
  inspected_at: Text,
  packed_at: Text,
  software: Text,
  models: Type.Array(ModelUsedSchema),
  region: Type.Union([RegionUsedSchema, Type.Null()]),
  /** SHA-256 of the public key (DER, SubjectPublicKeyInfo). */
  key: Sha256,
  files: Type.Array(EvidenceFileSchema),
});
export type Manifest = Static<typeof ManifestSchema>;

const toPublicKey = (key: KeyObject) => (key.type === 'private' ? createPublicKey(key) : key);

/** Exports the public half of a key in the format of evidence files. */
export function exportPublicKey(key: KeyObject): string {
  return toPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
}

/** Returns a key's fingerprint: the SHA-256 of its public half, `openssl pkey -pubin -outform DER | sha256sum`. */
export function computeFingerprint(key: KeyObject): string {
  return hashBytes(toPublicKey(key).export({ type: 'spki', format: 'der' }));
}

/** Serializes and signs a manifest; the signature has 64 bytes. */
export function signManifest(manifest: Manifest, key: KeyObject): { text: string; signature: Uint8Array } {
  const text = toJsonText(manifest);
  return { text, signature: sign(null, Buffer.from(text), key) };
}

/** Returns the signing key; null if it is not an Ed25519 key or the signature does not match. */
export function findSigner(text: Uint8Array, signature: Uint8Array, pem: string): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' && verify(null, text, key, signature) ? key : null;
  } catch {
    return null;
  }
}
