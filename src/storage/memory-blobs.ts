import { type BlobStore, checkBlobName, checkStaged } from './ports.ts';

type FilesByOwner = Map<string, Map<string, Uint8Array>>;

async function concatenate(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return Uint8Array.from(bytes);
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Creates an in-memory blob store. */
export function createMemoryBlobs(): BlobStore {
  const published: FilesByOwner = new Map();
  const staged: FilesByOwner = new Map();
  async function put(
    folders: FilesByOwner,
    owner: string,
    name: string,
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
  ) {
    const files = folders.get(checkBlobName(owner)) ?? new Map<string, Uint8Array>();
    folders.set(owner, files);
    files.set(checkBlobName(name), await concatenate(bytes));
  }
  return {
    put: (owner, name, bytes) => put(published, owner, name, bytes),
    get: async (owner, name) => published.get(checkBlobName(owner))?.get(checkBlobName(name)),
    list: async (owner) => [...(published.get(checkBlobName(owner))?.keys() ?? [])].sort(),
    listOwners: async () => [...published.keys()].sort(),
    async remove(owner, name) {
      if (name === undefined) published.delete(checkBlobName(owner));
      else published.get(checkBlobName(owner))?.delete(checkBlobName(name));
    },
    stage: (owner, name, bytes) => put(staged, owner, name, bytes),
    getStaged: async (owner, name) => staged.get(checkBlobName(owner))?.get(checkBlobName(name)),
    async stageCopy(owner, name, source) {
      const bytes = published.get(checkBlobName(source.owner))?.get(checkBlobName(source.name));
      if (bytes) await put(staged, owner, name, bytes);
      return bytes !== undefined;
    },
    async publish(owner, names) {
      const files = staged.get(checkBlobName(owner));
      checkStaged(owner, names, [...(files?.keys() ?? [])]);
      if (files) published.set(owner, files);
      staged.delete(owner);
    },
    async discardStaged(owner) {
      staged.delete(checkBlobName(owner));
    },
    async clearStaged() {
      staged.clear();
    },
    listOrphans: async () => [],
    async setAside(owner) {
      published.delete(checkBlobName(owner));
      return owner;
    },
  };
}
