import { useEffect, useState } from 'preact/hooks';
import { PHOTO_FORMAT_WORDS } from '../../../domain/photo.ts';
import { MAX_IMAGE_MB, MIN_IMAGE_SIZE } from '../../../domain/photo-limits.ts';
import { summarizeNames } from '../../../lib/format-count.ts';
import { listChosenFiles, listDroppedFiles } from './dropped-files.ts';
import { addFiles, skippedNames } from './uploads.ts';

/** Accepts photos. The whole window is a drop target, because otherwise the browser would navigate to the file. */
export function DropZone() {
  const { value: skipped } = skippedNames;
  const [isDragOver, setIsDragOver] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const onDragOver = (event: DragEvent) => {
      event.preventDefault();
      setIsDragOver(true);
    };
    // Leaving the window leads to no other element.
    const onDragLeave = ({ relatedTarget }: DragEvent) => setIsDragOver(relatedTarget !== null);
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      setIsDragOver(false);
      if (event.dataTransfer) void listDroppedFiles(event.dataTransfer).then(addFiles);
    };
    document.addEventListener('dragover', onDragOver, controller);
    document.addEventListener('dragleave', onDragLeave, controller);
    document.addEventListener('drop', onDrop, controller);
    return () => controller.abort();
  }, []);
  return (
    <fieldset class={isDragOver ? 'drop over' : 'drop'}>
      <legend>Photos</legend>
      <p>
        Drop photos or a folder here: {PHOTO_FORMAT_WORDS}, {MIN_IMAGE_SIZE} pixels or more, {MAX_IMAGE_MB} MB
        each at most.
      </p>
      <p class="actions">
        <label class="button">
          Choose photos
          <input
            type="file"
            multiple
            accept="image/jpeg,image/png,image/heic,image/heif,.heic,.heif"
            onChange={({ currentTarget }) => addChosen(currentTarget, [...(currentTarget.files ?? [])])}
          />
        </label>
        <label class="button">
          Choose a folder
          <input
            ref={(input) => input?.setAttribute('webkitdirectory', '')}
            type="file"
            onChange={({ currentTarget }) => addChosen(currentTarget, listChosenFiles(currentTarget.files))}
          />
        </label>
      </p>
      <p role="status">
        {skipped.length > 0 ? `Left out, not readable as a photo: ${summarizeNames(skipped, 3)}.` : ''}
      </p>
    </fieldset>
  );
}

/** Adds chosen files and empties the field, so that the same files can be chosen again. */
function addChosen(field: HTMLInputElement, files: readonly File[]): void {
  void addFiles(files);
  field.value = '';
}
