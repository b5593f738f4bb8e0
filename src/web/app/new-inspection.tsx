import { useState } from 'preact/hooks';
import type { VisualInspection } from '../../contract/inspection.ts';
import { ANGLES } from '../../domain/damage.ts';
import { call } from './api.ts';
import { droppedFiles } from './dropped-files.ts';
import { Problem, Title, useWork } from './parts.tsx';
import { go } from './router.ts';
import {
  addFiles,
  drop,
  forgetUploads,
  imagesOf,
  PHOTOS_MAX,
  PHOTOS_MIN,
  retry,
  setAngle,
  type Upload,
  uploads,
} from './uploads.ts';

const angleWords = (angle: string) => angle.replaceAll('_', ' ');

/** Photos are sent as soon as they are dropped; the inspection begins when all are there. */
export function NewInspection() {
  const [vehicle, setVehicle] = useState('');
  const work = useWork();
  const list = uploads.value;
  const missing = whatIsMissing(list, vehicle);
  const inspect = async () => {
    const made = await call<VisualInspection>('POST', '/inspections/visual', {
      body: {
        vehicle_id: vehicle.trim(),
        images: imagesOf(list),
        options: { detailed_analysis: true },
      },
      headers: { Prefer: 'respond-async' },
    });
    forgetUploads();
    go(`inspections/${made.inspection_id}`);
  };
  return (
    <>
      <Title>New inspection</Title>
      <form
        class="new"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null) work.run(inspect);
        }}
      >
        <label class="short">
          Vehicle
          <input
            type="text"
            required
            maxLength={128}
            autocomplete="off"
            value={vehicle}
            onInput={({ currentTarget }) => setVehicle(currentTarget.value)}
          />
        </label>
        <DropZone />
        <UploadList list={list} />
        <Problem>{work.problem}</Problem>
        <p class="actions">
          <button type="submit" class="main" disabled={missing !== null || work.busy}>
            {work.busy ? 'Sending…' : 'Inspect'}
          </button>
          <span role="status">{missing}</span>
        </p>
      </form>
    </>
  );
}

/** Why the inspection cannot begin yet. */
function whatIsMissing(list: readonly Upload[], vehicle: string): string | null {
  const there = list.filter(({ state }) => state === 'there').length;
  const failed = list.filter(({ state }) => state === 'failed').length;
  if (list.length < PHOTOS_MIN) return `At least ${PHOTOS_MIN} photos are needed; ${list.length} so far.`;
  if (list.length > PHOTOS_MAX) return `At most ${PHOTOS_MAX} photos; remove ${list.length - PHOTOS_MAX}.`;
  if (failed > 0) return `${failed} cannot be used: try again or remove.`;
  if (there < list.length) return `${there} of ${list.length} photos are there.`;
  if (list.some(({ angle }) => angle === '')) return 'Say from where each photo was taken.';
  return vehicle.trim() === '' ? 'Name the vehicle.' : null;
}

function DropZone() {
  const [over, setOver] = useState(false);
  return (
    <fieldset
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(addFiles);
      }}
    >
      <legend>Photos</legend>
      <p>Drop photos or a folder here: JPEG, PNG or HEIC, 1280x720 pixels or more, 10 MB each at most.</p>
      <label class="button">
        Choose photos
        <input
          type="file"
          multiple
          accept="image/jpeg,image/png,image/heic,image/heif,.heic,.heif"
          onChange={({ currentTarget }) => {
            addFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </label>
    </fieldset>
  );
}

function UploadList({ list }: { readonly list: readonly Upload[] }) {
  return (
    <ul class="uploads" aria-label="Photos to inspect">
      {list.map((upload) => (
        <Entry key={upload.key} upload={upload} />
      ))}
    </ul>
  );
}

function Entry({ upload }: { readonly upload: Upload }) {
  const { key, file, state, sent, problem, angle } = upload;
  return (
    <li class={state}>
      <span class="name">{file.name}</span>
      {state === 'failed' ? (
        <span class="problem" role="alert">
          {problem}
        </span>
      ) : (
        <progress max={1} value={sent} aria-label={`${file.name}: sent`} />
      )}
      <span class="state">{{ waiting: 'waits', sending: 'is sent', there: 'there', failed: '' }[state]}</span>
      <select
        aria-label={`Seen from, ${file.name}`}
        value={angle}
        disabled={state !== 'there'}
        onChange={({ currentTarget }) => setAngle(key, currentTarget.value)}
      >
        <option value="">seen from…</option>
        {ANGLES.map((one) => (
          <option key={one} value={one}>
            {angleWords(one)}
          </option>
        ))}
      </select>
      <span class="what">
        {state === 'failed' ? (
          <button type="button" onClick={() => retry(key)}>
            Try again
          </button>
        ) : null}
        <button type="button" aria-label={`Remove ${file.name}`} onClick={() => drop(key)}>
          {state === 'sending' || state === 'waiting' ? 'Cancel' : 'Remove'}
        </button>
      </span>
    </li>
  );
}
