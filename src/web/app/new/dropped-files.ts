import { comparePaths } from '../../../lib/names.ts';

/** A file after its path, which begins with the name that the user dropped or selected. */
type FoundFile = readonly [path: string, file: File];

/** Returns false below a folder for hidden files and folders; what the user named is visible by any name. */
const isVisible = (path: string) => !path.includes('/.');

const sortFiles = (found: readonly FoundFile[]) =>
  found.toSorted(([a], [b]) => comparePaths(a, b)).map(([, file]) => file);

/** Lists the files of a drop by path, including the visible ones in folders. */
export async function listDroppedFiles(dropped: DataTransfer): Promise<readonly File[]> {
  // Read before the first await, because the browser empties the list afterwards.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry());
  if (entries.every((entry) => entry === null)) return [...dropped.files];
  const lists = await Promise.all(entries.map((entry) => (entry === null ? [] : readFiles(entry))));
  return sortFiles(lists.flat());
}

/** Reads a file, or a folder with all its files. One that cannot be read is listed empty, to be named as left out. */
async function readFiles(entry: FileSystemEntry): Promise<readonly FoundFile[]> {
  const path = entry.fullPath.slice(1);
  if (!isVisible(path)) return [];
  try {
    if (!entry.isFile) return await readFolder(entry as FileSystemDirectoryEntry);
    return [[path, await new Promise((done, fail) => (entry as FileSystemFileEntry).file(done, fail))]];
  } catch {
    return [[path, new File([], entry.name)]];
  }
}

async function readFolder(folder: FileSystemDirectoryEntry): Promise<readonly FoundFile[]> {
  const reader = folder.createReader();
  const inner: FileSystemEntry[] = [];
  // Browsers return at most a hundred entries of a folder per call.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) break;
    inner.push(...some);
  }
  return (await Promise.all(inner.map(readFiles))).flat();
}

/** Lists the visible files of a selected folder and its subfolders by path. */
export function listChosenFiles(files: FileList | null): readonly File[] {
  const found = [...(files ?? [])].map((file) => [file.webkitRelativePath, file] as const);
  return sortFiles(found.filter(([path]) => isVisible(path)));
}
