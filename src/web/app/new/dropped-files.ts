/** Compares names by the value of the numbers in them: `IMG_9` comes before `IMG_10`. */
const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/** Lists the files of a drop, including those in folders, sorted by name within each folder. */
export async function listDroppedFiles(dropped: DataTransfer): Promise<readonly File[]> {
  // Read before the first await, because the browser empties the list afterwards.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry());
  if (entries.every((entry) => entry === null)) return [...dropped.files];
  const lists = await Promise.all(entries.map((entry) => (entry === null ? [] : readFiles(entry))));
  return lists.flat();
}

async function readFiles(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile) {
    return [await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inner: FileSystemEntry[] = [];
  // Browsers return at most a hundred entries of a folder per call.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) break;
    inner.push(...some);
  }
  const visible = inner.filter(({ name }) => !name.startsWith('.'));
  visible.sort((a, b) => compareNames(a.name, b.name));
  return (await Promise.all(visible.map(readFiles))).flat();
}

/** Lists the files of a selected folder and its subfolders, sorted by path, without hidden files. */
export function listChosenFiles(files: FileList | null): readonly File[] {
  const visible = [...(files ?? [])].filter(({ webkitRelativePath: path }) => !/(^|\/)\./.test(path));
  return visible.sort((a, b) => compareNames(a.webkitRelativePath, b.webkitRelativePath));
}
