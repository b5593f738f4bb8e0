import type { FastifyReply, FastifyRequest } from 'fastify';
import { Id } from '../../contract/common.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import {
  PlacementSchema,
  PlaceRequestSchema,
  ReviewChangeSchema,
  ReviewExportQuerySchema,
  ReviewFinishSchema,
  ReviewSchema,
} from '../../contract/review-answers.ts';
import { Type } from '../../lib/type.ts';
import { NO_LINES_CSV } from '../../report/formats/lines.ts';
import type { InspectionRecord, ReviewRecord } from '../../storage/ports.ts';
import type { App } from '../http/fastify-types.ts';
import { REPORT_POLICY } from '../http/headers-and-log.ts';
import { succeed } from '../http/success.ts';
import { VISUAL_PATH } from '../links.ts';
import { EXPORT_TYPES, type ExportOptions } from '../reviews/exports.ts';
import { presentReview } from '../reviews/present-review.ts';
import {
  type Announce,
  changeReview,
  finishReview,
  placeBox,
  readOutcome,
  readReview,
} from '../reviews/reviews.ts';
import type { ReviewServices } from '../services.ts';
import { findRecord } from './listing.ts';
import { defineOperations, describeData, describeResponse } from './schemas.ts';

const reads = defineOperations('reviews', 'inspections:read');
const writes = defineOperations('reviews', 'inspections:write');

const REVIEW_PATH = `${VISUAL_PATH}/:inspection_id/review`;
const Params = Type.Object({ inspection_id: Id() });
const DECISION_CODES: readonly ErrorCode[] = [
  'NOTHING_TO_REVIEW',
  'REVIEW_CONFLICT',
  'INVALID_DECISIONS',
  'PART_NEEDED',
  'NOT_PRICEABLE',
];
const Review = describeData(ReviewSchema, 'The review.');

/** Outputs of a review: completion events and exported files. */
export interface ReviewEnds {
  readonly announce: Announce;
  readonly exportFile: (
    record: InspectionRecord,
    review: ReviewRecord,
    wanted: ExportOptions,
  ) => Promise<string | Uint8Array>;
}

/** Registers the operations that review a visual inspection (extension). They never change the inspection itself. */
export function registerReviewRoutes(app: App, services: ReviewServices, ends: ReviewEnds): void {
  registerReviewExport(app, services, ends);
  const readRecord = (request: FastifyRequest) => findRecord('visual', request, services);

  const send = async (reply: FastifyReply, record: InspectionRecord, review: ReviewRecord) =>
    reply.send(succeed(await presentReview(record, review, services)));

  app.get(
    REVIEW_PATH,
    reads.defineGet('getReview', 'The review of an inspection, started or not (extension)', {
      params: Params,
      response: { 200: Review },
      codes: ['NOTHING_TO_REVIEW'],
    }),
    async (request, reply) => {
      const record = await readRecord(request);
      return send(reply, record, await readReview(record, services));
    },
  );

  app.put(
    REVIEW_PATH,
    writes.defineWithBody('changeReview', 'Store all decisions on an inspection (extension)', {
      description: 'The response holds the updated results. A finished review is reopened.',
      params: Params,
      body: ReviewChangeSchema,
      response: { 200: Review },
      codes: DECISION_CODES,
    }),
    async (request, reply) => {
      const record = await readRecord(request);
      return send(reply, record, await changeReview(record, request.body, services));
    },
  );

  app.post(
    `${REVIEW_PATH}/place`,
    reads.defineWithBody('placeBox', 'Say where a drawn box lies and what damage it would be (extension)', {
      params: Params,
      body: PlaceRequestSchema,
      response: { 200: describeData(PlacementSchema, 'Part, type, size, severity and price, as proposed.') },
      codes: ['NOTHING_TO_REVIEW', 'PHOTO_NOT_KEPT'],
    }),
    async (request) => succeed(await placeBox(await readRecord(request), request.body, services)),
  );

  app.post(
    `${REVIEW_PATH}/finish`,
    writes.defineWithBody('finishReview', 'End a review (extension)', {
      description: 'Sends `visual_inspection.reviewed` to webhooks that ask for it.',
      params: Params,
      body: ReviewFinishSchema,
      response: { 200: Review },
      codes: ['NOTHING_TO_REVIEW', 'REVIEW_CONFLICT'],
    }),
    async (request, reply) => {
      const record = await readRecord(request);
      return send(reply, record, await finishReview(record, request.body.revision, services, ends.announce));
    },
  );
}

function registerReviewExport(app: App, services: ReviewServices, { exportFile }: ReviewEnds): void {
  app.get(
    `${REVIEW_PATH}/export`,
    reads.defineGet('exportReview', 'The reviewed result as a file (extension)', {
      params: Params,
      querystring: ReviewExportQuerySchema,
      response: {
        200: {
          ...describeResponse(
            Type.Object({}),
            'The file; COCO holds the corrections, to measure and to train by.',
          ),
          content: {
            'application/json': { schema: { type: 'object', additionalProperties: true } },
            'application/pdf': { schema: { description: 'PDF report.' } },
            'text/html': { schema: { description: 'HTML report, pictures inside.' } },
            'text/csv': { schema: { description: 'A row per damage.' } },
          },
        },
      },
      codes: ['NOTHING_TO_REVIEW'],
    }),
    async (request, reply) => {
      const record = await findRecord('visual', request, services);
      const review = await readReview(record, services);
      const { format = 'json', redact } = request.query;
      const { type, name } = EXPORT_TYPES[format];
      const wanted = { format, ...(redact ? { redact: redact === 'true' } : {}) };
      const isEmpty = format === 'estimate' && readOutcome(review).results.damages.length === 0;
      const body = isEmpty ? NO_LINES_CSV : await exportFile(record, review, wanted);
      // The page at /app shows the HTML report in a frame.
      const disposition = format === 'html' ? 'inline' : 'attachment';
      if (format === 'html') reply.header('content-security-policy', REPORT_POLICY);
      return reply
        .header('cache-control', 'no-store')
        .header(
          'content-disposition',
          `${disposition}; filename="${record.vehicleId.replace(/[^\w-]/g, '_')}-${name}"`,
        )
        .type(type)
        .send(body);
    },
  );
}
