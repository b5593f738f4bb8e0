import { signal } from '@preact/signals';
import type { VisualInspection } from '../../../contract/inspection.ts';
import { MAX_IMAGES, MIN_IMAGES } from '../../../domain/photo-limits.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { callApi } from '../../shared/api.ts';
import { onSubmit } from '../../shared/forms.ts';
import { Problem, Title } from '../components.tsx';
import { useAction } from '../requests.ts';
import { navigate, path } from '../router.ts';
import { DropZone } from './drop-zone.tsx';
import { DEFAULT_OPTIONS, InspectionOptions, options } from './inspection-options.tsx';
import { UploadList } from './upload-list.tsx';
import { canRetry, clearUploads, listImages, retryUploads, type Upload, uploads } from './uploads.ts';

/** The vehicle entered so far; like the uploads and options, it outlasts another view and a new sign-in. */
const vehicle = signal('');

/** The last request, and its key. */
const sent = signal({ text: '', key: '' });

/** Returns the key of a request: the same for the same text, so a repeat after a lost answer makes no second inspection. */
function nameRequest(text: string): string {
  if (sent.value.text !== text)
    sent.value = { text, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
  return sent.value.key;
}

export function discardDraft(): void {
  clearUploads();
  vehicle.value = '';
  options.value = DEFAULT_OPTIONS;
}

/** Renders the form of a new inspection. Photos upload when dropped; the inspection can start once all are uploaded. */
export function NewInspection() {
  const work = useAction();
  const list = uploads.value;
  const missing = explainMissing(list, vehicle.value);
  const inspect = async () => {
    const body = { vehicle_id: vehicle.value.trim(), images: listImages(list), options: options.value };
    const created = await callApi<VisualInspection>('POST', '/inspections/visual', {
      body,
      headers: { Prefer: 'respond-async', 'Idempotency-Key': nameRequest(JSON.stringify(body)) },
    });
    // The user may have changed the draft, or gone on, meanwhile.
    if (uploads.value === list) discardDraft();
    if (path.value === 'new') navigate(`inspections/${created.inspection_id}`);
  };
  return (
    <>
      <Title>New inspection</Title>
      <form class="new" onSubmit={onSubmit(() => missing === null && work.run(inspect))}>
        <label class="short">
          Vehicle
          <input
            type="text"
            required
            autocomplete="off"
            value={vehicle.value}
            onInput={({ currentTarget }) => {
              vehicle.value = currentTarget.value;
            }}
          />
        </label>
        <DropZone />
        <UploadList />
        <InspectionOptions />
        <Problem>{work.problem}</Problem>
        <p class="actions">
          <button type="submit" class="main" disabled={missing !== null || work.isRunning}>
            {work.isRunning ? 'Sending…' : 'Inspect'}
          </button>
          <span role="status">{missing}</span>
          {list.some(canRetry) ? (
            <button type="button" onClick={retryUploads}>
              Try again
            </button>
          ) : null}
        </p>
      </form>
    </>
  );
}

const nameThem = (count: number) => (count === 1 ? 'it' : 'them');

/** Explains why the inspection cannot start yet; null if it can. */
function explainMissing(list: readonly Upload[], vehicle: string): string | null {
  const uploaded = list.filter(({ state }) => state === 'uploaded').length;
  const refused = list.filter((one) => one.isRejected).length;
  const failed = list.filter(canRetry);
  if (list.length < MIN_IMAGES) return `At least ${MIN_IMAGES} photos are needed; ${list.length} so far.`;
  if (list.length > MAX_IMAGES) return `At most ${MAX_IMAGES} photos; remove ${list.length - MAX_IMAGES}.`;
  if (refused > 0) return `${formatCount(refused, 'photo')} cannot be used: remove ${nameThem(refused)}.`;
  if (failed.length > 0) {
    const reasons = [...new Set(failed.map(({ problem }) => problem))].join(' ');
    const what = `${formatCount(failed.length, 'photo')} could not be uploaded: ${reasons}`;
    return `${what} Try again, or remove ${nameThem(failed.length)}.`;
  }
  if (uploaded < list.length) return `${uploaded} of ${list.length} photos are uploaded.`;
  const noAngle = list.filter(({ angle }) => angle === '').length;
  const classifying = list.filter(({ classification }) => classification === 'waiting').length;
  if (classifying > 0) return `${formatCount(classifying, 'photo is', 'photos are')} being analyzed.`;
  if (noAngle > 0) return `Choose where ${formatCount(noAngle, 'photo was', 'photos were')} taken from.`;
  return vehicle.trim() === '' ? 'Name the vehicle.' : null;
}
