import { findNextUndecided, type Row } from '../rows.ts';
import { leaveMode, notice, photoIndex, photos, select, selected, shownRows } from '../store.ts';

/** Selects the next undecided finding. */
export function selectNextUndecided(after: Row | null): void {
  const next = findNextUndecided(shownRows.value, after?.key ?? selected.value);
  if (next) select(next.key);
  else notice.value = `${after === null ? '' : `${notice.value} `}All findings are decided.`.trim();
}

/** Selects the next or previous finding of the list, wrapping around. */
export function selectNeighbour(step: 1 | -1): void {
  const list = shownRows.value;
  const at = list.findIndex(({ key }) => key === selected.value);
  const next = list[at < 0 ? 0 : (at + step + list.length) % list.length];
  if (next) select(next.key);
}

/** Shows a photo and selects the given finding, or keeps a selected one in it, or selects its first. */
export function showPhoto(index: number, key?: string): void {
  leaveMode();
  photoIndex.value = index;
  if (key !== undefined) {
    selected.value = key;
    return;
  }
  const inPhoto = shownRows.value.filter((row) => row.boxes.some(({ imageIndex }) => imageIndex === index));
  if (!inPhoto.some(({ key }) => key === selected.value)) selected.value = inPhoto[0]?.key ?? null;
}

/** Shows the next or previous photo around the vehicle. */
export function stepPhoto(step: 1 | -1): void {
  const list = photos.value;
  const at = list.findIndex(({ index }) => index === photoIndex.value);
  const next = list[(at + step + list.length) % list.length];
  if (next) showPhoto(next.index);
}
