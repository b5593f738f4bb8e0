import pLimit from 'p-limit';
import type { InspectionEnvelope, Photo } from '../contract/inspection.ts';
import type { Box } from '../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../domain/photo.ts';
import type { Engine } from '../engine/engine.ts';
import { MINUTE_MS } from '../lib/durations.ts';
import { isLoopback } from '../lib/loopback.ts';
import { Type } from '../lib/type.ts';
import type { Account, ApiKey, InspectionRecord } from '../storage/ports.ts';
import { SESSION_PATH } from './app/routes.ts';
import { createClock } from './clock.ts';
import { ApiError } from './http/api-error.ts';
import type { App, Caller } from './http/fastify-types.ts';
import { createPageApp, openPage } from './page-app.ts';
import { presentVisual, VISUAL_PATH } from './present-record.ts';
import type { PartMaps } from './reviews/part-maps.ts';
import type { OpenedReview } from './reviews/reviews.ts';
import { nameCrop, nameThumbnail, nameView } from './reviews/views.ts';
import { type ReviewEnds, registerReviewRoutes } from './routes/reviews.ts';
import type { ReviewServices } from './services.ts';

/** A JPEG, or the reason it is missing. */
export type RenderedPhoto = { readonly jpeg: Uint8Array } | { readonly missing: string };

/** One result under review, and the storage of its review. */
export interface OneResult {
  readonly inspection: InspectionEnvelope;
  /** Name of the file written on finishing. */
  readonly output: string;
  /** Clock that dates reviews. */
  readonly now: () => Date;
  readonly engine: Pick<Engine, 'review' | 'placeBox'>;
  readonly getPartMap: (photo: Photo) => ReturnType<PartMaps['get']>;
  readonly pictures: {
    /** @param side maximum long side in pixels */
    renderPhoto(photo: Photo, side: number): Promise<RenderedPhoto>;
    /** Crops a region in pixels of the upright photo, at most `side` pixels long. */
    renderCrop(photo: Photo, region: Box, side: number): Promise<RenderedPhoto>;
  };
  /** The previously stored review. */
  readonly savedReview: Omit<OpenedReview, 'inspectionId' | 'revision' | 'finishedAt'>;
  /** Stores a change; the response waits for it. */
  save(review: Pick<OpenedReview, 'decisions' | 'reviewer' | 'savedAt'>): Promise<void>;
  /** Writes the reviewed result. */
  finish(review: Pick<OpenedReview, 'decisions' | 'reviewer'>): Promise<void>;
  exportFile(
    review: Pick<OpenedReview, 'decisions' | 'reviewer'>,
    options: Parameters<ReviewEnds['exportFile']>[2],
  ): Promise<string | Uint8Array>;
}

/** The service's review page for one result. */
export interface ResultPage {
  readonly port: number;
  /** Resolves once the review is finished and the response is sent. */
  readonly finished: Promise<void>;
  /** Creates a single-use link, valid for ten minutes; opening it ends the previous session. */
  createLink(): string;
  close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const LINK_TTL_MS = 10 * MINUTE_MS;

/** The holder of the session. */
const LOCAL_CALLER = {
  account: { id: 'local' } as Account,
  key: {} as ApiKey,
  limits: { requestsPerHour: null, concurrentRequests: null },
} as unknown as Caller;

/** State of a page. */
interface PageState {
  readonly id: string;
  readonly gate: ReturnType<typeof createPageApp>['gate'];
  readonly result: OneResult;
  review: OpenedReview;
}

function makeRecord({ id, result: { inspection } }: PageState): InspectionRecord {
  const { data, meta } = inspection;
  return {
    id,
    accountId: LOCAL_CALLER.account.id,
    environment: 'production',
    kind: 'visual',
    vehicleId: data.vehicle_id,
    status: 'completed',
    createdAt: data.created_at,
    completedAt: data.completed_at,
    attempts: 0,
    document: data,
    meta,
    request: null,
  };
}

/** Creates the review routes' services, limited to this result. */
function makeServices(state: PageState): ReviewServices {
  const { result } = state;
  const serialize = pLimit(1);
  return {
    settings: { environment: 'production' },
    clock: { now: result.now },
    programs: { engine: result.engine },
    partMaps: { get: (_id, photo) => result.getPartMap(photo) },
    links: { makeFileUrl: (owner, name) => state.gate.links().makeFileUrl(owner, name) },
    store: {
      inspections: { get: async (id) => (id === state.id ? makeRecord(state) : undefined) },
      blobs: {
        list: async () =>
          result.inspection.data.images.flatMap(({ index }) => [
            nameView(index),
            nameThumbnail(index),
            nameCrop(index),
          ]),
      },
      reviews: {
        get: async () => state.review,
        save: (next) =>
          serialize(async () => {
            if (next.revision !== state.review.revision + 1) return false;
            await result.save(next);
            state.review = { ...next, finishedAt: null };
            return true;
          }),
        finish: (_id, revision, finishedAt) =>
          serialize(async () => {
            if (state.review.revision !== revision) return false;
            await result.finish(state.review);
            state.review = { ...state.review, finishedAt };
            return true;
          }),
      },
    },
  };
}

/** Admits the session to its inspection only, as the caller of the service's own routes. */
function registerCaller(app: App, { id }: PageState): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.public) return;
    if ((request.params as { inspection_id?: string }).inspection_id !== id)
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'This session is for one inspection and no other.');
    request.caller = LOCAL_CALLER;
  });
}

/** Registers where a browser without a link begins: it cannot sign in. */
function registerStart(app: App): void {
  const config = { public: true };
  app.get(SESSION_PATH, { config }, async () => ({ status: 'success', data: { by_link: true } }));
  app.get('/', { config }, async (_request, reply) => reply.redirect('app/', 302));
}

/** Registers the inspection before its review. */
function registerInspection(app: App, state: PageState): void {
  const schema = { params: Type.Object({ inspection_id: Type.String() }) };
  app.get(`${VISUAL_PATH}/:inspection_id`, { schema }, async () => ({
    status: 'success',
    data: { ...presentVisual(makeRecord(state), state.gate.links()), reviewed_to: state.result.output },
  }));
}

const PixelParam = Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999 }));

/** Requested region of a photo. */
type CropParams = Partial<Record<'x' | 'y' | 'w' | 'h' | 'side', number>>;

/** Registers the pictures behind signed links; an unavailable one returns the reason. */
function registerPictures(app: App, state: PageState): void {
  const { id, gate } = state;
  const params = Type.Object({ owner: Type.String(), name: Type.String() });
  const querystring = Type.Object({
    expires: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
    x: PixelParam,
    y: PixelParam,
    w: PixelParam,
    h: PixelParam,
    side: PixelParam,
  });
  async function load(
    kind: string,
    index: number,
    { x = 0, y = 0, w = 0, h = 0, side = 0 }: CropParams,
  ): Promise<RenderedPhoto> {
    const { result } = state;
    const notFound = { missing: 'There is no such picture.' };
    const photo = result.inspection.data.images.find((one) => one.index === index);
    if (!photo) return notFound;
    if (kind !== 'cut')
      return result.pictures.renderPhoto(photo, kind === 'view' ? REVIEW_SIDE : THUMBNAIL_SIDE);
    if (w < 1 || h < 1 || side < 1) return notFound;
    return result.pictures.renderCrop(photo, { x, y, width: w, height: h }, Math.min(side, REVIEW_SIDE));
  }
  app.get(
    '/files/:owner/:name',
    { config: { public: true }, schema: { params, querystring } },
    async ({ params: { owner, name }, query }, reply) => {
      const { expires = '', signature = '' } = query;
      const [, kind = '', number = ''] = /^(thumbnail|view|cut)-(\d+)\.jpg$/.exec(name) ?? [];
      if (owner !== id || gate.links().check(owner, name, expires, signature) !== 'valid')
        throw new ApiError('NOT_FOUND', 'There is nothing at this address.');
      const picture = await load(kind, Number(number), query);
      if ('missing' in picture) throw new ApiError('NOT_FOUND', picture.missing);
      return reply.type('image/jpeg').header('cache-control', 'private, max-age=86400').send(picture.jpeg);
    },
  );
}

/**
 * Serves the review page for one result on the loopback interface. A single-use link starts a session that can read and
 * review this result only. It uses no API key and no store.
 * @param options.onUsedLink called when a used link is opened
 */
export async function openResultPage(
  result: OneResult,
  options: { readonly port: number; readonly onUsedLink: () => void },
): Promise<ResultPage> {
  const id = createClock().newId('vis');
  const { app, gate } = createPageApp({
    // A loopback name with any port, so forwarded ports work.
    isOwnHost: isLoopback,
    session: { path: SESSION_PATH, data: { inspection_id: id } },
    noSession: 'This page is not, or is no longer, the one that reviews.',
    linkTtlMs: LINK_TTL_MS,
    onUsedLink: options.onUsedLink,
  });
  const review = { ...result.savedReview, inspectionId: id, revision: 1, finishedAt: null };
  const state: PageState = { id, gate, result, review };
  const finished = new Promise<void>((resolve) => {
    app.addHook('onResponse', async () => {
      if (state.review.finishedAt !== null) resolve();
    });
  });
  registerCaller(app, state);
  registerStart(app);
  registerInspection(app, state);
  registerPictures(app, state);
  registerReviewRoutes(app, makeServices(state), {
    announcer: { make: async () => [], wake: () => undefined },
    exportFile: (_record, changed, exported) => result.exportFile(changed, exported),
  });
  const port = await openPage(app, LOOPBACK, options.port);
  return {
    port,
    finished,
    createLink: () => `http://${LOOPBACK}:${port}/app/#t=${gate.newToken()}`,
    close: () => app.close(),
  };
}
