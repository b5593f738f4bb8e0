import pLimit from 'p-limit';
import type { InspectionEnvelope, Photo } from '../contract/inspection.ts';
import type { ReviewedEnvelope } from '../contract/review-answers.ts';
import type { Box } from '../domain/geometry.ts';
import { REVIEW_SIDE, THUMBNAIL_SIDE } from '../domain/photo.ts';
import type { Engine } from '../engine/engine.ts';
import { MINUTE_MS } from '../lib/durations.ts';
import { isLoopback } from '../lib/hosts.ts';
import { Type } from '../lib/type.ts';
import type { InspectionRecord, ReviewRecord, SavedReview } from '../storage/ports.ts';
import { SESSION_PATH } from './app/routes.ts';
import { createClock } from './clock.ts';
import { ApiError, makeNotFoundError } from './http/api-error.ts';
import type { Caller } from './http/fastify-types.ts';
import { succeed } from './http/success.ts';
import { VISUAL_PATH } from './links.ts';
import { createPageApp, openPage } from './page-app.ts';
import { nameCrop, nameThumbnail, nameView } from './photo-files.ts';
import { presentVisual } from './present-record.ts';
import type { ExportOptions } from './reviews/exports.ts';
import type { PartMaps } from './reviews/part-maps.ts';
import { makeReviewedEnvelope } from './reviews/present-review.ts';
import { registerReviewRoutes } from './routes/reviews.ts';
import type { ReviewServices } from './services.ts';

/** A JPEG, or the reason it is missing. */
export type RenderedPhoto = { readonly jpeg: Uint8Array } | { readonly missing: string };

/** One result under review, and the storage of its review. */
export interface OneResult {
  readonly inspection: InspectionEnvelope;
  /** File written on finishing, `-` for stdout, and the command line that reports on it. */
  readonly written: { readonly reviewed_to: string; readonly report_command: string };
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
  readonly savedReview: Omit<ReviewRecord, 'inspectionId' | 'revision' | 'finishedAt'>;
  /** Stores a change; the response waits for it. */
  save(review: Pick<SavedReview, 'decisions' | 'reviewer' | 'savedAt'>): Promise<void>;
  /** Writes the reviewed result. */
  finish(review: Pick<ReviewRecord, 'decisions' | 'reviewer'>): Promise<void>;
  exportFile(reviewed: ReviewedEnvelope, wanted: ExportOptions): Promise<string | Uint8Array>;
}

const LOOPBACK = '127.0.0.1';
const LINK_TTL_MS = 10 * MINUTE_MS;

const LOCAL_CALLER = { account: { id: 'local' } } as Caller;

const PixelParam = Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999 }));
const PictureParams = Type.Object({ owner: Type.String(), name: Type.String() });
/** A signed link; for a crop also its region, in pixels of the upright photo, and its long side. */
const PictureQuery = Type.Object({
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  x: PixelParam,
  y: PixelParam,
  w: PixelParam,
  h: PixelParam,
  side: PixelParam,
});

const listPictureNames = (index: number) => [nameView(index), nameThumbnail(index), nameCrop(index)];

/** Creates the services for the review routes, limited to this record. */
function makeServices(record: InspectionRecord, result: OneResult, links: ReviewServices['links']) {
  const serialize = pLimit(1);
  let review: ReviewRecord = {
    ...result.savedReview,
    inspectionId: record.id,
    revision: 1,
    finishedAt: null,
  };
  const services: ReviewServices = {
    settings: { environment: record.environment },
    clock: { now: result.now },
    backend: { engine: result.engine },
    partMaps: { get: (_id, photo) => result.getPartMap(photo) },
    links,
    store: {
      inspections: { get: async (id) => (id === record.id ? record : undefined) },
      blobs: {
        list: async () => result.inspection.data.images.flatMap(({ index }) => listPictureNames(index)),
      },
      reviews: {
        get: async () => review,
        save: (next) =>
          serialize(async () => {
            if (next.revision !== review.revision + 1) return false;
            await result.save(next);
            review = { ...next, finishedAt: null };
            return true;
          }),
        finish: (_id, revision, finishedAt) =>
          serialize(async () => {
            if (review.revision !== revision) return false;
            await result.finish(review);
            review = { ...review, finishedAt };
            return true;
          }),
      },
    },
  };
  return { services, isFinished: () => review.finishedAt !== null };
}

/**
 * Serves the review page for one result on the loopback interface. A single-use link starts a session that can read and
 * review this result only. It uses no API key and no store.
 * @param options.onUsedLink called when a used link is opened
 */
export async function openResultPage(
  result: OneResult,
  options: { readonly port: number; readonly onUsedLink: () => void },
) {
  const id = createClock().newId('vis');
  const { app, gate } = createPageApp({
    // A loopback name with any port, so forwarded ports work.
    isOwnHost: isLoopback,
    session: { path: SESSION_PATH, data: { inspection_id: id } },
    noSession: 'This page has no session, or another page has taken it over.',
    linkTtlMs: LINK_TTL_MS,
    onUsedLink: options.onUsedLink,
  });
  const { data, meta } = result.inspection;
  const record: InspectionRecord = {
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
  const { services, isFinished } = makeServices(record, result, {
    makeFileUrl: (owner, name) => gate.fileLinks().makeFileUrl(owner, name),
  });
  const finished = new Promise<void>((resolve) => {
    app.addHook('onResponse', async () => {
      if (isFinished()) resolve();
    });
  });
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    if (request.is404 || request.routeOptions.config.public) return;
    if ((request.params as { inspection_id?: string }).inspection_id !== id)
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'This session is for one inspection and no other.');
    request.caller = LOCAL_CALLER;
  });
  // Page shown to a browser without a link, where sign-in is impossible.
  const config = { public: true };
  app.get(SESSION_PATH, { config }, async () => succeed({ by_link: true }));
  app.get('/', { config }, async (_request, reply) => reply.redirect('app/', 302));
  app.get(`${VISUAL_PATH}/:inspection_id`, async () =>
    succeed({ ...presentVisual(record, gate.fileLinks()), ...result.written }),
  );
  app.get(
    '/files/:owner/:name',
    { config, schema: { params: PictureParams, querystring: PictureQuery } },
    async ({ params: { owner, name }, query }, reply) => {
      const { expires = '', signature = '', x = 0, y = 0, w: width = 0, h: height = 0, side = 0 } = query;
      const photo = data.images.find(({ index }) => listPictureNames(index).includes(name));
      const isSigned = owner === id && gate.fileLinks().isValid(owner, name, expires, signature);
      if (!photo || !isSigned) throw makeNotFoundError();
      const isCrop = name === nameCrop(photo.index);
      if (isCrop && Math.min(width, height, side) < 1) throw makeNotFoundError();
      const picture = await (isCrop
        ? result.pictures.renderCrop(photo, { x, y, width, height }, Math.min(side, REVIEW_SIDE))
        : result.pictures.renderPhoto(photo, name === nameView(photo.index) ? REVIEW_SIDE : THUMBNAIL_SIDE));
      if ('missing' in picture) throw makeNotFoundError(picture.missing);
      return reply.type('image/jpeg').header('cache-control', 'private, max-age=86400').send(picture.jpeg);
    },
  );
  registerReviewRoutes(app, services, {
    announce: async () => [],
    exportFile: (_record, changed, exported) =>
      result.exportFile({ ...result.inspection, ...makeReviewedEnvelope(record, changed) }, exported),
  });
  const port = await openPage(app, LOOPBACK, options.port);
  return {
    port,
    /** Resolves once the review is finished and the response is sent. */
    finished,
    /** Creates a single-use link, valid for ten minutes; opening it ends the previous session. */
    createLink: () => `http://${LOOPBACK}:${port}/app/#t=${gate.newToken()}`,
    close: () => app.close(),
  };
}
