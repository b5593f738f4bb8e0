import { useEffect, useRef, useState } from 'preact/hooks';
import type { CapturedPhoto, CaptureState, Shot } from '../../contract/capture.ts';
import { CAPTURE_WORDS, type CaptureWords, describeHint } from '../../report/capture-words.ts';
import { callDesk, isOffline, link, refresh, state } from './link.ts';
import { addPhoto, discard, keepsPhotos, sending, type Waiting, waiting } from './queue.ts';
import { Standpoint } from './standpoint.tsx';

/** Side in pixels of the pictures that the page draws. */
const PICTURE_PX = 720;

function readWords(): CaptureWords {
  const language = state.value?.language ?? (navigator.language.slice(0, 2) as keyof typeof CAPTURE_WORDS);
  return CAPTURE_WORDS[language] ?? CAPTURE_WORDS.en;
}

const titleOf = ({ slot, angle, title }: Shot, { views, extras }: CaptureWords): string =>
  title ?? (angle ? views[angle] : extras[slot]?.[0]) ?? slot;

/** Returns whether the folder has a photo that shows what was asked for. */
const isTaken = ({ photos }: Shot): boolean =>
  photos.some(({ hints }) => !hints.some(({ code }) => code === 'other_view' || code === 'no_vehicle'));

/** The page of a guided capture on the phone. */
export function CapturePage() {
  const words = readWords();
  const { value } = state;
  if (link.value === 'ended' || link.value === 'none')
    return <p class="message">{link.value === 'none' ? words.page.linkOnly : words.page.ended}</p>;
  if (value === null) return <p class="message">{isOffline.value ? words.page.offline : '…'}</p>;
  document.documentElement.lang = value.language;
  return <Capture state={value} words={words} />;
}

const SECTIONS = [
  ['view', 'around'],
  ['known', 'known'],
  ['extra', 'extras'],
] as const;

function Capture({
  state: { shots, vehicle_id: vehicleId, ...rest },
  words,
}: {
  readonly state: CaptureState;
  readonly words: CaptureWords;
}) {
  const asked = shots.filter(({ kind }) => kind !== 'extra');
  const doneCount = asked.filter(isTaken).length;
  const others = waiting.value.filter(({ capture }) => capture !== rest.capture_id).length;
  return (
    <>
      <header class="head">
        <h1>{vehicleId}</h1>
        <span class="count">
          {doneCount} / {asked.length}
        </span>
      </header>
      <main class="shots">
        {isOffline.value && (
          <p class="warning" role="status">
            {words.page.offline}
          </p>
        )}
        {!keepsPhotos.value && <p class="warning">{words.page.storage}</p>}
        {others > 0 && <p class="warning">{words.page.other.replace('{}', `${others}`)}</p>}
        <Outcome {...rest} />
        {SECTIONS.map(([kind, title]) => {
          const own = shots.filter((shot) => shot.kind === kind);
          if (own.length === 0) return null;
          return (
            <section key={kind}>
              <h2>{words.page[title]}</h2>
              <ul>
                {own.map((shot) => (
                  <ShotRow key={shot.slot} shot={shot} words={words} />
                ))}
              </ul>
            </section>
          );
        })}
      </main>
      <Finish shots={shots} stage={rest.stage} capture={rest.capture_id} words={words} />
    </>
  );
}

function Outcome({ stage, outcome, report }: Pick<CaptureState, 'stage' | 'outcome' | 'report'>) {
  const { page } = readWords();
  if (stage === 'inspecting') return <p class="outcome busy">{page.inspecting}</p>;
  if (outcome.length === 0) return null;
  return (
    <div class={`outcome ${stage}`} role="status">
      {outcome.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {report !== null && stage === 'finished' && <a href={`..${report}`}>{page.report}</a>}
    </div>
  );
}

function ShotRow({ shot, words }: { readonly shot: Shot; readonly words: CaptureWords }) {
  const { slot, angle, photos, hasEarlier, takesSeveral } = shot;
  const [taken, setTaken] = useState<Blob | null>(null);
  const own = waiting.value.filter((one) => one.slot === slot && one.capture === state.value?.capture_id);
  const help = words.extras[slot]?.[1];
  const title = titleOf(shot, words);
  const picture = own.at(-1)?.blob ?? taken;
  const isDone = photos.length > 0 || own.length > 0;
  const verb = !isDone ? words.page.take : takesSeveral ? words.page.add : words.page.retake;
  return (
    <li class={`shot ${isDone ? 'done' : ''}`}>
      {picture && !hasEarlier ? (
        <Picture blob={picture} kind="thumbnail" />
      ) : (
        angle && <Standpoint angle={angle} />
      )}
      <div class="about">
        <h3>{title}</h3>
        {help && !isDone && <small>{help}</small>}
      </div>
      <label class={`take ${isDone ? '' : 'main'}`}>
        <span>{verb}</span>
        <span class="hidden">, {title}</span>
        <input
          class="hidden"
          type="file"
          accept="image/*"
          capture="environment"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            currentTarget.value = '';
            if (!file) return;
            setTaken(file);
            void addPhoto(shot, file);
          }}
        />
      </label>
      <div class="hints">
        {own.map((one) => (
          <WaitingPhoto key={one.id} photo={one} words={words} />
        ))}
        {own.length === 0 &&
          photos.map((photo) => (
            <StoredPhoto key={photo.name} photo={photo} words={words} showsName={takesSeveral} />
          ))}
      </div>
      {hasEarlier && <Pictures slot={slot} taken={picture} words={words} />}
    </li>
  );
}

function WaitingPhoto({
  photo: { id, refused },
  words,
}: {
  readonly photo: Waiting;
  readonly words: CaptureWords;
}) {
  if (refused !== undefined)
    return (
      <p class="hint refused">
        {refused}{' '}
        <button type="button" onClick={() => void discard(id)}>
          {words.page.discard}
        </button>
      </p>
    );
  const text = isOffline.value
    ? words.page.waiting
    : sending.value === id
      ? `${words.page.sending} …`
      : words.page.waiting;
  return <p class="hint waits">{text}</p>;
}

function StoredPhoto({
  photo: { name, hints },
  words,
  showsName,
}: {
  readonly photo: CapturedPhoto;
  readonly words: CaptureWords;
  readonly showsName: boolean;
}) {
  const prefix = showsName ? `${name}: ` : '';
  if (hints.length === 0)
    return (
      <p class="hint good">
        {prefix}✓ {words.page.good}
      </p>
    );
  return (
    <p class="hint wrong">
      {prefix}
      {hints.map((hint) => describeHint(hint, words)).join(' ')}
    </p>
  );
}

/** Shows the earlier photo of a known damage, laid over the new one at 40 % once there is one. */
function Pictures({
  slot,
  taken,
  words,
}: {
  readonly slot: string;
  readonly taken: Blob | null;
  readonly words: CaptureWords;
}) {
  const [earlier, setEarlier] = useState<Blob | null>(null);
  const [isOver, setOver] = useState(true);
  useEffect(() => {
    void callDesk('GET', `/earlier/${slot}`)
      .then((answer) => answer.blob())
      .then(setEarlier)
      .catch(() => undefined);
  }, [slot]);
  if (!taken && !earlier) return null;
  return (
    <figure class="pictures">
      {taken && <Picture blob={taken} kind="taken" />}
      {earlier && (!taken || isOver) && <Picture blob={earlier} kind={taken ? 'over' : 'earlier'} />}
      {earlier && !taken && <figcaption>{words.page.earlier}</figcaption>}
      {earlier && taken && (
        <button type="button" class="compare" aria-pressed={isOver} onClick={() => setOver(!isOver)}>
          {words.page.compare}
        </button>
      )}
    </figure>
  );
}

/** Draws a photo on a canvas: the page's policy loads no pictures from memory. */
function Picture({ blob, kind }: { readonly blob: Blob; readonly kind: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    void createImageBitmap(blob, { resizeWidth: PICTURE_PX }).then(
      (bitmap) => {
        const target = canvas.current;
        if (!isCurrent || !target) return bitmap.close();
        target.width = bitmap.width;
        target.height = bitmap.height;
        target.getContext('2d')?.drawImage(bitmap, 0, 0);
        bitmap.close();
      },
      // A browser without HEIC shows no picture; the desk reads it all the same.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [blob]);
  return <canvas class={kind} ref={canvas} />;
}

function Finish({
  shots,
  stage,
  capture,
  words,
}: {
  readonly shots: readonly Shot[];
  readonly stage: CaptureState['stage'];
  readonly capture: string;
  readonly words: CaptureWords;
}) {
  const open = shots.filter((shot) => shot.kind !== 'extra' && !isTaken(shot));
  const unsent = waiting.value.filter((one) => one.capture === capture && one.refused === undefined).length;
  const isReady = unsent === 0 && shots.some(({ photos }) => photos.length > 0) && stage !== 'inspecting';
  const finish = () => void callDesk('POST', '/finish').then(refresh, () => undefined);
  const missing = open.map((shot) => titleOf(shot, words)).join(', ');
  return (
    <footer class="finish">
      {open.length > 0 && <small>{words.page.missing.replace('{}', missing)}</small>}
      <button type="button" class="main" disabled={!isReady} onClick={finish}>
        {words.page.finish}
        {unsent > 0 && ` (${unsent} ${words.page.sending.toLowerCase()} …)`}
      </button>
    </footer>
  );
}
