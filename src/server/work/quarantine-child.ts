import { createBirpc } from 'birpc';
import type { InspectionEnvelope, VisualInspection } from '../../contract/inspection.ts';
import type { Box } from '../../domain/geometry.ts';
import type { InspectRequest, PhotoInput, SeenPhotos } from '../../engine/request.ts';
import { VehiError } from '../../lib/errors.ts';
import type { ReportPictures } from '../../report/pictures.ts';
import type { Backend } from '../backend.ts';
import type { DrawnPhoto } from '../photo-files.ts';

/** Calls from the child to its parent, photo by photo, so the parent knows which photo is open. */
export interface ParentFunctions {
  /** Announces that a photo is about to be opened, by its position in the request, and returns its bytes. */
  open(position: number): Promise<Uint8Array>;
  /** Announces that no photo is open. */
  close(): Promise<void>;
  /** Hands over the drawings of a photo. */
  keep(drawn: DrawnPhoto): Promise<void>;
}

/** An inspection request that has only the names of its photos; the child cannot read the store. */
type NamedRequest = Omit<InspectRequest, 'photos'> & {
  readonly photos: readonly (Omit<PhotoInput, 'source'> & { readonly name: string })[];
};

/** Result of a call; an error is sent as its fields, because a class instance cannot be. */
export type CallResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Omit<VehiError, 'name' | 'stack' | 'cause'> }
  | { readonly ok: false; readonly fault: string };

/** Calls from the parent to the child, one at a time; the child opens one photo after another. */
export interface ChildFunctions {
  /** Resolves once loading the models has finished; a loading error surfaces with the first photo. */
  ready(): Promise<void>;
  inspect(request: NamedRequest): Promise<CallResult<InspectionEnvelope>>;
  draw(request: {
    readonly inspection: VisualInspection;
    /** `index` is the position in the inspection's images. */
    readonly photos: readonly { position: number; index: number; closeUps: readonly Box[] | null }[];
    readonly report: boolean;
  }): Promise<CallResult<ReportPictures>>;
}

/** Message channel to the other process. */
interface Channel {
  post(message: unknown): void;
  on(listener: (message: unknown) => void): void;
}

async function toResult<T>(call: () => Promise<T>): Promise<CallResult<T>> {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    if (!(error instanceof VehiError)) return { ok: false, fault: String((error as Error)?.stack ?? error) };
    const { kind, code, message, hint, field, details } = error;
    return { ok: false, error: { kind, code, message, hint, field, details } };
  }
}

/** Serves the parent's calls with this process's engine and artifacts. */
export function serveParent(
  { engine, artifacts, warmUp }: Pick<Backend, 'engine' | 'artifacts' | 'warmUp'>,
  channel: Channel,
): void {
  const open = async (position: number, name: string) =>
    ({ kind: 'bytes', bytes: await parent.open(position), name }) as const;
  const functions: ChildFunctions = {
    ready: () => warmUp().catch(() => undefined),
    inspect: (request) =>
      toResult(async () => {
        const seen: SeenPhotos = new Map();
        const photos: PhotoInput[] = [];
        for (const [position, { name, ...photo }] of request.photos.entries()) {
          photos.push({ ...photo, source: await open(position, name) });
          const one = { ...request, rejected: [], photos: photos.slice(-1) };
          const { data } = await engine.inspect(one, { seen });
          await parent.close();
          if (data.rejected_images.length > 0 && request.allOrNothing) break;
        }
        return engine.inspect({ ...request, photos }, { seen });
      }),
    draw: ({ inspection, photos, report }) =>
      toResult(async () => {
        const drawn: ReportPictures[] = [];
        for (const { position, index, closeUps } of photos) {
          const file = { index, source: await open(position, `image ${index}`) };
          const options = { listRegions: closeUps && (() => closeUps), report };
          const pictures = await artifacts.draw(inspection, [file], options, parent.keep);
          await parent.close();
          // Other photos are reported missing only because this call did not include them.
          const missing = [...pictures.missing].filter(([other]) => other === index);
          drawn.push({ ...pictures, missing: new Map(missing) });
        }
        return {
          photos: new Map(drawn.flatMap((one) => [...one.photos])),
          closeUps: new Map(drawn.flatMap((one) => [...one.closeUps])),
          missing: new Map(drawn.flatMap((one) => [...one.missing])),
          redaction: drawn.at(-1)?.redaction,
        };
      }),
  };
  const parent = createBirpc<ParentFunctions, ChildFunctions>(functions, { ...channel, timeout: -1 });
}
