import { createBirpc } from 'birpc';
import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import type { InspectRequest, PhotoInput, SeenPhotos } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import { NO_PICTURES, type ReportPictures } from '../../report/pictures.ts';
import type { Artifacts, DrawnPhoto, Programs } from '../ports.ts';
import { readProcessorSeconds } from './processor-time.ts';

/** An inspection without its photos, which are handed over one by one. */
type PhotolessRequest = Omit<InspectRequest, 'photos'>;

/** What a call came to; an error travels as its fields, as a class does not. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Pick<VehiError, 'kind' | 'code' | 'message' | 'field' | 'details'> }
  | { readonly ok: false; readonly fault: string };

/** What was drawn of one photo. */
interface DrawnAlone {
  readonly drawn: DrawnPhoto | null;
  readonly pictures: ReportPictures;
}

/** What a child does for one inspection at a time, photo by photo, so that its parent knows which one is open. */
export interface ChildFunctions {
  /** Answers once the models are loaded; that they cannot be, the first photo says. */
  ready(): Promise<void>;
  /** Opens a photo and lets the models look at it; true where it was rejected. */
  look(position: number, photo: PhotoInput, request: PhotolessRequest): Promise<Outcome<boolean>>;
  /** The result of the photos that were looked at, in the order of their positions. */
  inspect(request: PhotolessRequest): Promise<Outcome<InspectionEnvelope>>;
  /** Opens a photo that was looked at and draws it. */
  draw(order: {
    readonly inspection: VisualInspection;
    readonly position: number;
    /** As in the images of the inspection. */
    readonly index: number;
    readonly closeUps: readonly Box[] | null;
    readonly report: boolean;
  }): Promise<Outcome<DrawnAlone>>;
  /** Forgets the photos. Returns the processor time since it was ready, in seconds. */
  forget(): Promise<number>;
}

/** The channel to the other process. */
interface Channel {
  post(message: unknown): void;
  on(listener: (message: unknown) => void): void;
}

async function settle<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (!(error instanceof VehiError)) return { ok: false, fault: String((error as Error)?.stack ?? error) };
    const { kind, code, message, field, details } = error;
    return { ok: false, error: { kind, code, message, field, details } };
  }
}

/** Returns the pictures of one photo alone: the others are missing only here. */
function keepOnly(index: number, { missing, ...pictures }: ReportPictures): ReportPictures {
  return { ...pictures, missing: new Map([...missing].filter(([of]) => of === index)) };
}

async function drawAlone(
  artifacts: Artifacts,
  { inspection, index, closeUps, report }: Parameters<ChildFunctions['draw']>[0],
  bytes: Uint8Array,
): Promise<DrawnAlone> {
  let drawn: DrawnPhoto | null = null;
  const pictures = await artifacts.draw(
    inspection,
    [{ index, bytes }],
    { listCloseUps: closeUps && (() => closeUps), report },
    async (one) => {
      drawn = one;
    },
  );
  return { drawn, pictures: report ? keepOnly(index, pictures) : NO_PICTURES };
}

/** Does what the parent asks for with the programs of this process. */
export function answerParent(
  programs: Pick<Programs, 'engine' | 'artifacts' | 'warmUp'>,
  channel: Channel,
): void {
  const photos = new Map<number, PhotoInput>();
  let seen: SeenPhotos = new Map();
  let readySeconds = readProcessorSeconds();
  const { engine, artifacts } = programs;
  const functions: ChildFunctions = {
    async ready() {
      await programs.warmUp().catch(() => undefined);
      readySeconds = readProcessorSeconds();
    },
    look: (position, photo, request) =>
      settle(
        (async () => {
          photos.set(position, photo);
          const { data } = await engine.inspect({ ...request, rejected: [], photos: [photo] }, { seen });
          return data.rejected_images.length > 0;
        })(),
      ),
    inspect: (request) =>
      settle(
        engine.inspect(
          { ...request, photos: [...photos].sort(([a], [b]) => a - b).map(([, photo]) => photo) },
          { seen },
        ),
      ),
    draw: (order) =>
      settle(
        (async () => {
          const source = photos.get(order.position)?.source;
          if (source?.kind !== 'bytes') throw new Error(`photo ${order.position} was not handed over`);
          return drawAlone(artifacts, order, source.bytes);
        })(),
      ),
    async forget() {
      photos.clear();
      seen = new Map();
      return readProcessorSeconds() - readySeconds;
    },
  };
  createBirpc<Record<string, never>, ChildFunctions>(functions, { ...channel, timeout: -1 });
}
