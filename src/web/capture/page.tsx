import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CapturedPhoto, CaptureState, Shot } from '../../contract/capture.ts';
import { LANGUAGES } from '../../domain/language.ts';
import { MAX_IMAGE_MB, MIN_IMAGE_SIZE } from '../../domain/photo-limits.ts';
import { compact } from '../../lib/lists.ts';
import { describeHint, nameExtra, nameView, writeForPhone } from '../../report/capture-words.ts';
import type { Translator } from '../../report/translator.ts';
import { callDesk, deskFault, isOffline, link, refresh, state } from './link.ts';
import { addPhoto, discard, isWanted, keepsPhotos, sending, type Waiting, waiting } from './queue.ts';
import { Standpoint } from './standpoint.tsx';

const PICTURE_WIDTH_PX = 720;

/** Writer for the language of the capture, or for that of the phone until it is known. */
const writer = computed(() => {
  const ofPhone = LANGUAGES.find((one) => navigator.language.startsWith(one));
  return writeForPhone(state.value?.language ?? ofPhone ?? 'en');
});

function nameShot({ slot, angle, title }: Shot): string {
  const t = writer.value;
  return title ?? (angle ? nameView(angle, t) : nameExtra(slot, t)?.[0]) ?? slot;
}

const isTaken = ({ photos }: Shot): boolean =>
  photos.some(({ hints }) => !hints.some(({ code }) => code === 'other_view' || code === 'no_vehicle'));

export function CapturePage() {
  const t = writer.value;
  const { value } = state;
  if (link.value === 'none') return <Message>{t`Scan the code that vehi capture shows.`}</Message>;
  if (link.value === 'ended')
    return (
      <Message>{t`This link has ended. Scan the code on the screen of the desk again; photos stay on this phone.`}</Message>
    );
  if (value === null) return <Message>{isOffline.value ? describeOffline(t) : '…'}</Message>;
  document.documentElement.lang = value.language;
  return <Capture state={value} />;
}

const describeOffline = (t: Translator) =>
  t`The desk does not answer. Photos stay on this phone until it does.`;

const Message = ({ children }: { children: string }) => <p class="message">{children}</p>;

const SECTIONS = [
  ['view', (t: Translator) => t`Around the vehicle`],
  ['known', (t: Translator) => t`Known damage: take the same picture again`],
  ['extra', (t: Translator) => t`If you need it`],
] as const;

function Capture({ state: { shots, vehicle_id: vehicleId, ...rest } }: { readonly state: CaptureState }) {
  const t = writer.value;
  const asked = shots.filter(({ kind }) => kind !== 'extra');
  const doneCount = asked.filter(isTaken).length;
  const others = waiting.value.filter((one) => !isWanted(one) && one.refused === undefined).length;
  const warnings = compact([
    isOffline.value && describeOffline(t),
    deskFault.value && t`The desk failed: ${deskFault.value}`,
    !keepsPhotos.value &&
      t`This browser keeps no photos (private mode?): leave this page open until all are sent.`,
    others > 0 &&
      t`Photos of another capture wait on this phone: ${others}. They are sent when that folder is open again.`,
  ]);
  return (
    <>
      <header class="head">
        <h1>{vehicleId}</h1>
        <span class="count">
          {doneCount} / {asked.length}
        </span>
      </header>
      <main class="shots">
        {warnings.map((text) => (
          <p key={text} class="warning" role="status">
            {text}
          </p>
        ))}
        <Outcome {...rest} />
        {SECTIONS.map(([kind, title]) => {
          const own = shots.filter((shot) => shot.kind === kind);
          if (own.length === 0) return null;
          return (
            <section key={kind}>
              <h2>{title(t)}</h2>
              <ul>
                {own.map((shot) => (
                  <ShotRow key={shot.slot} shot={shot} />
                ))}
              </ul>
            </section>
          );
        })}
      </main>
      <Finish shots={shots} stage={rest.stage} />
    </>
  );
}

function Outcome({ stage, outcome, report }: Pick<CaptureState, 'stage' | 'outcome' | 'report'>) {
  const t = writer.value;
  const ref = useRef<HTMLDivElement>(null);
  const isInspecting = stage === 'inspecting';
  // It is above the photos, and Finish below them.
  useEffect(() => {
    if (isInspecting) ref.current?.focus();
  }, [isInspecting]);
  const lines = isInspecting ? [t`Inspecting. This takes a minute.`] : outcome;
  if (lines.length === 0) return null;
  return (
    <div ref={ref} class={`outcome ${stage}`} role="status" tabIndex={-1}>
      {lines.map((line, at) => (
        <p key={at}>{line}</p>
      ))}
      {report !== null && stage === 'finished' && <a href={`..${report}`}>{t`Open the report`}</a>}
    </div>
  );
}

function ShotRow({ shot }: { readonly shot: Shot }) {
  const t = writer.value;
  const { slot, angle, photos, has_earlier: hasEarlier, takes_several: takesSeveral } = shot;
  const [taken, setTaken] = useState<Blob | null>(null);
  const own = waiting.value.filter((one) => one.slot === slot && isWanted(one));
  const help = nameExtra(slot, t)?.[1];
  const title = nameShot(shot);
  const picture = own.at(-1)?.blob ?? taken;
  const standpoint = angle && <Standpoint angle={angle} />;
  const isDone = photos.length > 0 || own.length > 0;
  const verb = !isDone ? t`Photograph` : takesSeveral ? t`Another` : t`Again`;
  return (
    <li class={`shot ${isDone ? 'done' : ''}`}>
      {picture && !hasEarlier ? <Picture blob={picture} kind="thumbnail" instead={standpoint} /> : standpoint}
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
          <WaitingPhoto key={one.id} photo={one} onDiscard={() => setTaken(null)} />
        ))}
        {own.length === 0 &&
          photos.map((photo) => <StoredPhoto key={photo.name} photo={photo} showsName={takesSeveral} />)}
      </div>
      {hasEarlier && <Pictures slot={slot} taken={picture} />}
    </li>
  );
}

/** Why the desk refuses a photo, by the code of its answer; any other code is of a file that it cannot read. */
const REFUSALS: Readonly<Record<string, (t: Translator) => string>> = {
  IMAGE_QUALITY_TOO_LOW: (t) => t`The photo is too small: ${MIN_IMAGE_SIZE} pixels or more are needed.`,
  TOO_MANY_IMAGES: (t) => t`The desk has as many photos as one inspection takes.`,
  PAYLOAD_TOO_LARGE: (t) => t`The photo is larger than ${MAX_IMAGE_MB} MB.`,
};
const describeUnreadable = (t: Translator) =>
  t`The desk cannot read this file as a photo: JPEG, PNG or HEIC is needed.`;

function WaitingPhoto(props: { readonly photo: Waiting; readonly onDiscard: () => void }) {
  const { id, refused } = props.photo;
  const t = writer.value;
  if (refused !== undefined)
    return (
      <p class="hint refused">
        {(REFUSALS[refused] ?? describeUnreadable)(t)}{' '}
        <button type="button" onClick={() => void discard(id).then(props.onDiscard)}>
          {t`Discard`}
        </button>
      </p>
    );
  const isSent = sending.value === id && !isOffline.value;
  const text = isSent ? `${t`Sending`} …` : t`On the phone, waits for the desk`;
  return <p class="hint waits">{text}</p>;
}

function StoredPhoto({ photo, showsName }: { readonly photo: CapturedPhoto; readonly showsName: boolean }) {
  const t = writer.value;
  const isGood = photo.hints.length === 0;
  return (
    <p class={`hint ${isGood ? 'good' : 'wrong'}`}>
      {showsName ? `${photo.name}: ` : ''}
      {isGood ? `✓ ${t`Good`}` : photo.hints.map((hint) => describeHint(hint, t)).join(' ')}
    </p>
  );
}

/** Shows the earlier photo of a known damage, laid over the new one at 40 % once there is one. */
function Pictures({ slot, taken }: { readonly slot: string; readonly taken: Blob | null }) {
  const t = writer.value;
  const [earlier, setEarlier] = useState<Blob | null>(null);
  const [isOver, setOver] = useState(true);
  useEffect(() => {
    if (earlier || isOffline.value) return;
    void callDesk('GET', `/earlier/${slot}`)
      .then((answer) => answer.blob())
      .then(setEarlier)
      .catch(() => undefined);
  }, [slot, isOffline.value]);
  if (!taken && !earlier) return null;
  return (
    <figure class="pictures">
      {taken && <Picture blob={taken} kind="taken" />}
      {earlier && (!taken || isOver) && <Picture blob={earlier} kind={taken ? 'over' : 'earlier'} />}
      {earlier && !taken && <figcaption>{t`Before`}</figcaption>}
      {earlier && taken && (
        <button type="button" class="compare" aria-pressed={isOver} onClick={() => setOver(!isOver)}>
          {t`Before, over it`}
        </button>
      )}
    </figure>
  );
}

/** Draws a photo on a canvas, because the page's policy does not allow pictures from memory. */
function Picture({ blob, kind, instead }: { blob: Blob; kind: string; instead?: ComponentChildren }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<Blob | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void createImageBitmap(blob, { resizeWidth: PICTURE_WIDTH_PX }).then(
      (bitmap) => {
        if (isCurrent && canvas.current) {
          Object.assign(canvas.current, { width: bitmap.width, height: bitmap.height });
          canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0);
          setDrawn(blob);
        }
        bitmap.close();
      },
      // A browser without HEIC support shows no picture; the desk can still read it.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [blob]);
  return (
    <>
      <canvas class={kind} ref={canvas} hidden={drawn !== blob} />
      {drawn === blob ? null : instead}
    </>
  );
}

function Finish({ shots, stage }: Pick<CaptureState, 'shots' | 'stage'>) {
  const t = writer.value;
  const open = shots.filter((shot) => shot.kind !== 'extra' && !isTaken(shot));
  const unsent = waiting.value.filter((one) => isWanted(one) && one.refused === undefined).length;
  const hasPhotos = shots.some(({ photos }) => photos.length > 0);
  const [isAsked, setAsked] = useState(false);
  const isReady = unsent === 0 && hasPhotos && stage !== 'inspecting' && !isOffline.value && !isAsked;
  const finish = () => {
    setAsked(true);
    void callDesk('POST', '/finish')
      .then(refresh, () => undefined)
      .finally(() => setAsked(false));
  };
  return (
    <footer class="finish">
      {open.length > 0 && <small>{t`still open: ${open.map(nameShot).join(', ')}`}</small>}
      {unsent > 0 && <small>{t`not at the desk yet: ${unsent}`}</small>}
      <button type="button" class="main" disabled={!isReady} onClick={finish}>
        {t`Finish`}
      </button>
    </footer>
  );
}
