import { createBirpc } from 'birpc';
import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import type { InspectRequest, PhotoInput, SeenPhotos } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import { NO_PICTURES, type ReportPictures } from '../../report/pictures.ts';
import type { DrawnPhoto, PhotoFile } from '../ports.ts';
import type { Programs } from '../programs.ts';

/** An inspection request without photos, which are sent one by one. */
type PhotolessRequest = Omit<InspectRequest, 'photos'>;

/** Result of a call; an error is sent as its fields, because a class instance cannot be. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Pick<VehiError, 'kind' | 'code' | 'message' | 'field' | 'details'> }
  | { readonly ok: false; readonly fault: string };

/** Drawings of a single photo. */
interface SinglePhotoDrawing {
  readonly drawn: DrawnPhoto | null;
  readonly pictures: ReportPictures;
}

/** RPC interface of the child, called photo by photo so its parent knows which is open. One inspection at a time. */
export interface ChildFunctions {
  /** Resolves once loading the models has finished; a loading error surfaces with the first photo. */
  ready(): Promise<void>;
  /** Opens a photo and runs the models on it; true if it was rejected. */
  analyse(position: number, photo: PhotoInput, request: PhotolessRequest): Promise<Outcome<boolean>>;
  /** Returns the result for the analyzed photos, sorted by position. */
  inspect(request: PhotolessRequest): Promise<Outcome<InspectionEnvelope>>;
  /** Opens an analyzed photo and draws it. */
  draw(request: {
    readonly inspection: VisualInspection;
    readonly position: number;
    /** Index in the images of the inspection. */
    readonly index: number;
    readonly closeUps: readonly Box[] | null;
    readonly report: boolean;
  }): Promise<Outcome<SinglePhotoDrawing>>;
  /** Drops the photos. */
  reset(): Promise<void>;
}

/** Message channel to the other process. */
interface Channel {
  post(message: unknown): void;
  on(listener: (message: unknown) => void): void;
}

async function toOutcome<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    if (!(error instanceof VehiError)) return { ok: false, fault: String((error as Error)?.stack ?? error) };
    const { kind, code, message, field, details } = error;
    return { ok: false, error: { kind, code, message, field, details } };
  }
}

/** Keeps the pictures of one photo: the other photos are missing only because this call did not include them. */
function keepOnly(index: number, { missing, ...pictures }: ReportPictures): ReportPictures {
  return { ...pictures, missing: new Map([...missing].filter(([photoIndex]) => photoIndex === index)) };
}

async function drawOne(
  artifacts: Programs['artifacts'],
  { inspection, index, closeUps, report }: Parameters<ChildFunctions['draw']>[0],
  source: PhotoFile['source'],
): Promise<SinglePhotoDrawing> {
  let drawn: DrawnPhoto | null = null;
  const pictures = await artifacts.draw(
    inspection,
    [{ index, source }],
    { listCloseUps: closeUps && (() => closeUps), report },
    async (drawing) => {
      drawn = drawing;
    },
  );
  return { drawn, pictures: report ? keepOnly(index, pictures) : NO_PICTURES };
}

/** Serves the parent's calls with this process's engine and artifacts. */
export function answerParent(
  programs: Pick<Programs, 'engine' | 'artifacts' | 'warmUp'>,
  channel: Channel,
): void {
  const photos = new Map<number, PhotoInput>();
  let seen: SeenPhotos = new Map();
  const { engine, artifacts } = programs;
  const functions: ChildFunctions = {
    async ready() {
      await programs.warmUp().catch(() => undefined);
    },
    analyse: (position, photo, request) =>
      toOutcome(
        (async () => {
          photos.set(position, photo);
          const { data } = await engine.inspect({ ...request, rejected: [], photos: [photo] }, { seen });
          return data.rejected_images.length > 0;
        })(),
      ),
    inspect: (request) =>
      toOutcome(
        engine.inspect(
          { ...request, photos: [...photos].sort(([a], [b]) => a - b).map(([, photo]) => photo) },
          { seen },
        ),
      ),
    draw: (request) =>
      toOutcome(
        (async () => {
          const source = photos.get(request.position)?.source;
          if (!source || source.kind === 'file')
            throw new Error(`photo ${request.position} was not handed over`);
          return drawOne(artifacts, request, source);
        })(),
      ),
    async reset() {
      photos.clear();
      seen = new Map();
    },
  };
  createBirpc<Record<string, never>, ChildFunctions>(functions, { ...channel, timeout: -1 });
}
