import { type BlobStore, checkBlobName, checkStaged } from './ports.ts';

type Folders = Map<string, Map<string, Uint8Array>>;

async function concatenate(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return Uint8Array.from(bytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Creates an in-memory blob store. */
export function createMemoryBlobs(): BlobStore {
  const kept: Folders = new Map();
  const staged: Folders = new Map();
  async function put(
    folders: Folders,
    owner: string,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
  ) {
    const files = folders.get(checkBlobName(owner)) ?? new Map<string, Uint8Array>();
    folders.set(owner, files);
    files.set(checkBlobName(name), await concatenate(bytes));
  }
  return {
    put: (owner, name, bytes) => put(kept, owner, name, bytes),
    get: async (owner, name) => kept.get(checkBlobName(owner))?.get(checkBlobName(name)),
    list: async (owner) => [...(kept.get(checkBlobName(owner))?.keys() ?? [])].sort(),
    owners: async () => [...kept.keys()].sort(),
    async remove(owner, name) {
      if (name === undefined) kept.delete(checkBlobName(owner));
      else kept.get(checkBlobName(owner))?.delete(checkBlobName(name));
    },
    stage: (owner, name, bytes) => put(staged, owner, name, bytes),
    getStaged: async (owner, name) => staged.get(checkBlobName(owner))?.get(checkBlobName(name)),
    async stageCopy(owner, name, of) {
      const bytes = kept.get(checkBlobName(of.owner))?.get(checkBlobName(of.name));
      if (bytes) await put(staged, owner, name, bytes);
      return bytes !== undefined;
    },
    async adopt(owner, names) {
      const files = staged.get(checkBlobName(owner));
      checkStaged(owner, names, [...(files?.keys() ?? [])]);
      if (files) kept.set(owner, files);
      staged.delete(owner);
    },
    async unstage(owner) {
      staged.delete(checkBlobName(owner));
    },
    async clearStaged() {
      staged.clear();
    },
    orphans: async () => [],
    async setAside(owner) {
      kept.delete(checkBlobName(owner));
      return owner;
    },
  };
}
