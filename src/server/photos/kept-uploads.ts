import type { Store } from '../../storage/ports.ts';
import type { Services } from '../services.ts';

/** How long an upload waits for its inspection. */
export const UPLOAD_MS = 3_600_000;
/** Name of the file that holds its bytes. */
export const UPLOAD_FILE = 'photo';

const SCHEME = 'upload:';
const ADDRESS = /^upload:(upl_[0-9A-Z]{26})(\/[^/]*)?$/;

/** Returns the address of an upload; the name of its file is for readers of the result only. */
export function uploadUrl(id: string, name: string): string {
  return `${SCHEME}${id}/${name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(-80)}`;
}

/** Returns whether an address names an upload, whether that exists or not. */
export function isUploadUrl(url: string): boolean {
  return url.startsWith(SCHEME);
}

/** Reads the bytes of an upload of this account; undefined for one that is not there, not theirs, or expired. */
export async function readUpload(
  url: string,
  accountId: string,
  { store, settings, clock }: Services,
): Promise<Buffer | undefined> {
  const id = ADDRESS.exec(url)?.[1];
  const upload = id === undefined ? undefined : await store.uploads.get(id);
  if (!upload || upload.accountId !== accountId || upload.environment !== settings.environment)
    return undefined;
  if (upload.createdAtMs + UPLOAD_MS <= clock.wallMs()) return undefined;
  const bytes = await store.blobs.get(upload.id, UPLOAD_FILE);
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Removes the uploads among the photos of a request that was taken. */
export async function removeUploads(
  images: readonly { readonly url: string }[],
  { store }: Pick<Services, 'store'>,
): Promise<void> {
  await remove(
    images.flatMap(({ url }) => ADDRESS.exec(url)?.[1] ?? []),
    store,
  );
}

/** Removes uploads that lapsed. */
export async function sweepUploads(nowMs: number, store: Store): Promise<void> {
  await remove(await store.uploads.before(nowMs - UPLOAD_MS), store);
}

/** Removes an upload, its record last: what a crash interrupts is removed the next time. */
async function remove(ids: readonly string[], store: Store): Promise<void> {
  for (const id of ids) await store.blobs.remove(id);
  if (ids.length > 0) await store.uploads.remove(ids);
}
