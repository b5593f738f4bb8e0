import { ANGLES } from '../../../domain/damage.ts';
import { drop, retry, setAngle, type Upload } from './uploads.ts';

/** Angles with a digit as shortcut: those around the outside of the vehicle. */
const DIGITS = ANGLES.slice(0, 9);

const formatAngle = (angle: string) => angle.replaceAll('_', ' ');

/** Returns true if the user has to set the photo's angle. */
const needsAngle = ({ angle, state, look }: Upload) =>
  angle === '' && state !== 'failed' && look !== 'waiting';

/** Renders the dropped photos with their upload progress. */
export function UploadList({ list }: { readonly list: readonly Upload[] }) {
  return (
    <>
      {list.some(needsAngle) ? (
        <p class="soft" id="angle-keys">
          Where neither a file's name nor its picture says it, choose where the photo was taken from: the
          digit in front of a view chooses it and goes to the next photo.
        </p>
      ) : null}
      <ul class="uploads" aria-label="Photos to inspect">
        {list.map((upload, index) => (
          <Entry key={upload.key} upload={upload} before={list[index - 1] ?? null} />
        ))}
      </ul>
    </>
  );
}

const WORDS = { waiting: 'waiting', there: 'uploaded' } as const;

/** Renders a thumbnail, created by the page, or by the service for formats that browsers cannot decode. */
function Picture({ upload: { picture, answer } }: { readonly upload: Upload }) {
  const source = picture ?? (picture === null && answer ? `../v1/uploads/${answer.upload_id}/picture` : null);
  return source === null ? <span class="picture" /> : <img class="picture" src={source} alt="" />;
}

function State({ upload: { file, state, sent, problem } }: { readonly upload: Upload }) {
  if (state === 'failed')
    return (
      <span class="problem" role="alert">
        {problem}
      </span>
    );
  if (state !== 'sending') return <span class="state">{WORDS[state]}</span>;
  return <progress max={1} value={sent} aria-label={`${file.name}: sent`} />;
}

function Entry({ upload, before }: { readonly upload: Upload; readonly before: Upload | null }) {
  const { key, file, state, refused } = upload;
  return (
    <li class={state}>
      <Picture upload={upload} />
      <span class="name">{file.name}</span>
      <State upload={upload} />
      <AngleSelect upload={upload} before={before} />
      <span class="what">
        {state === 'failed' && !refused ? (
          <button type="button" aria-label={`Try again, ${file.name}`} onClick={() => retry(key)}>
            Try again
          </button>
        ) : null}
        {state === 'sending' || state === 'waiting' ? (
          <button type="button" aria-label={`Cancel ${file.name}`} onClick={() => drop(key)}>
            Cancel
          </button>
        ) : (
          <button type="button" aria-label={`Remove ${file.name}`} onClick={() => drop(key)}>
            Remove
          </button>
        )}
      </span>
    </li>
  );
}

function AngleSelect({ upload, before }: { readonly upload: Upload; readonly before: Upload | null }) {
  const { key, file, angle, state, look } = upload;
  return (
    <span class="seen">
      <select
        aria-label={`Seen from, ${file.name}`}
        aria-describedby={needsAngle(upload) ? 'angle-keys' : undefined}
        value={angle}
        disabled={state === 'failed'}
        onChange={({ currentTarget }) => setAngle(key, currentTarget.value)}
        onKeyDown={(event) => {
          const angleOfDigit = DIGITS[Number(event.key) - 1];
          if (angleOfDigit === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
          event.preventDefault();
          setAngle(key, angleOfDigit);
          goToNext(event.currentTarget);
        }}
      >
        <option value="">seen from…</option>
        {ANGLES.map((one, index) => (
          <option key={one} value={one}>
            {index < DIGITS.length ? `${index + 1} ` : ''}
            {formatAngle(one)}
          </option>
        ))}
      </select>
      {look === null ? null : (
        <span class="soft">
          {{ waiting: 'checking…', recognised: 'from the picture: check it', silent: 'not recognised' }[look]}
        </span>
      )}
      {angle === '' && state !== 'failed' && before?.angle ? (
        <button
          type="button"
          aria-label={`As above, ${file.name}: ${formatAngle(before.angle)}`}
          onClick={() => setAngle(key, before.angle)}
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
