import { ANGLES } from '../../../domain/photo.ts';
import { removeUpload, setAngle, type Upload, uploads } from './uploads.ts';

/** Angles with a digit as shortcut: those around the outside of the vehicle. */
const ANGLES_WITH_DIGIT = ANGLES.slice(0, 9);

const formatAngle = (angle: string) => angle.replaceAll('_', ' ');

const needsAngle = ({ angle, state, classification }: Upload) =>
  angle === '' && state !== 'failed' && classification !== 'waiting';

export function UploadList() {
  const list = uploads.value;
  return (
    <>
      {list.some(needsAngle) ? (
        <p class="soft" id="angle-keys">
          Choose the angle where neither file name nor picture shows it: its digit selects it and moves to the
          next photo.
        </p>
      ) : null}
      <ul class="uploads" aria-label="Photos to inspect">
        {list.map((upload, index) => (
          <UploadEntry key={upload.key} upload={upload} previous={list[index - 1] ?? null} />
        ))}
      </ul>
    </>
  );
}

const CLASSIFICATION_WORDS = {
  waiting: 'checking…',
  recognized: 'from the picture: check it',
  unrecognized: 'not recognized',
};
const STATE_WORDS = { waiting: 'waiting', sending: 'sending…', uploaded: 'uploaded' } as const;

function UploadEntry({ upload, previous }: { readonly upload: Upload; readonly previous: Upload | null }) {
  const { key, file, state, problem, answer } = upload;
  const verb = state === 'sending' || state === 'waiting' ? 'Cancel' : 'Remove';
  return (
    <li class={state}>
      {answer ? (
        <img class="picture" src={`../v1/uploads/${answer.upload_id}/picture`} alt="" />
      ) : (
        <span class="picture" />
      )}
      <span class="name">{file.name}</span>
      {state === 'failed' ? (
        <span class="problem" role="alert">
          {problem}
        </span>
      ) : (
        <span class="state">{STATE_WORDS[state]}</span>
      )}
      <AngleSelect upload={upload} previous={previous} />
      <span class="what">
        <button type="button" aria-label={`${verb} ${file.name}`} onClick={() => removeUpload(key)}>
          {verb}
        </button>
      </span>
    </li>
  );
}

function AngleSelect({ upload, previous }: { readonly upload: Upload; readonly previous: Upload | null }) {
  const { key, file, angle, state, classification } = upload;
  return (
    <span class="seen">
      <select
        aria-label={`Seen from, ${file.name}`}
        aria-describedby={needsAngle(upload) ? 'angle-keys' : undefined}
        value={angle}
        disabled={state === 'failed'}
        onChange={({ currentTarget }) => setAngle(key, currentTarget.value)}
        onKeyDown={(event) => {
          const angleOfDigit = ANGLES_WITH_DIGIT[Number(event.key) - 1];
          if (angleOfDigit === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
          event.preventDefault();
          setAngle(key, angleOfDigit);
          goToNext(event.currentTarget);
        }}
      >
        <option value="">seen from…</option>
        {ANGLES.map((one, index) => (
          <option key={one} value={one}>
            {index < ANGLES_WITH_DIGIT.length ? `${index + 1} ` : ''}
            {formatAngle(one)}
          </option>
        ))}
      </select>
      {classification === null ? null : <span class="soft">{CLASSIFICATION_WORDS[classification]}</span>}
      {angle === '' && state !== 'failed' && previous?.angle ? (
        <button
          type="button"
          aria-label={`As above, ${file.name}: ${formatAngle(previous.angle)}`}
          onClick={() => setAngle(key, previous.angle)}
        >
          As above
        </button>
      ) : null}
    </span>
  );
}

/** Focuses the angle of the next photo; after the last photo, the Inspect button. */
function goToNext(select: HTMLSelectElement): void {
  const all = [...(select.form?.querySelectorAll<HTMLSelectElement>('.uploads select:enabled') ?? [])];
  const next = all[all.indexOf(select) + 1];
  // The button is disabled until the page has rendered with the new angle.
  if (next) next.focus();
  else setTimeout(() => select.form?.querySelector<HTMLButtonElement>('button[type=submit]')?.focus());
}
