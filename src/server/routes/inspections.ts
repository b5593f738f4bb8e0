import { defineInspectionList, ReportFields, VisualReportSchema } from '../../contract/answers.ts';
import { DamageAssessmentSchema } from '../../contract/assessment/assessment.ts';
import { Id } from '../../contract/common.ts';
import { VisualInspectionSchema } from '../../contract/inspection.ts';
import { ListQuerySchema } from '../../contract/requests.ts';
import { StringEnum, Type } from '../../lib/type.ts';
import { INSPECTION_KINDS } from '../../storage/ports.ts';
import { removeInspections } from '../../storage/removal.ts';
import type { App } from '../http/fastify-types.ts';
import { succeed } from '../http/success.ts';
import { KIND_PATHS } from '../links.ts';
import { presentReport } from '../present-record.ts';
import { presentReviewed } from '../reviews/present-review.ts';
import type { Services } from '../services.ts';
import { findRecord, KIND_WORDS, listPage } from './listing.ts';
import { defineEmptyResponse, defineOperations, describeData, describeResponse } from './schemas.ts';

const { defineGet } = defineOperations('inspections', 'inspections:read');

const { vehicle_id, created_at, ...visualFields } = VisualInspectionSchema.properties;
/** Either kind, discriminated by `kind`; the fields match those of the separate lists. */
const AnyInspectionSchema = Type.Object({
  kind: StringEnum(INSPECTION_KINDS),
  ...Type.Partial(DamageAssessmentSchema).properties,
  ...Type.Partial(Type.Object(visualFields)).properties,
  vehicle_id,
  created_at,
});

/** Both kinds of inspections, with the names of their operations. */
const KINDS = [
  {
    kind: 'visual',
    operation: 'VisualInspection',
    title: 'visual inspection',
    note: '',
    schema: VisualInspectionSchema,
    reportSchema: VisualReportSchema,
  },
  {
    kind: 'damage_assessment',
    operation: 'DamageAssessment',
    title: 'damage assessment',
    note: ' (extension)',
    schema: DamageAssessmentSchema,
    reportSchema: Type.Object({ ...DamageAssessmentSchema.properties, ...ReportFields }),
  },
] as const;

/** Registers the operations on stored inspections and assessments: list, fetch, report, delete. */
export function registerInspectionRoutes(app: App, services: Services): void {
  app.get(
    '/v1/inspections',
    defineGet('listInspections', 'List visual inspections and damage assessments together, newest first', {
      querystring: ListQuerySchema,
      response: {
        200: describeResponse(
          defineInspectionList(AnyInspectionSchema),
          'One page; `kind` says which is which.',
        ),
      },
    }),
    (request) =>
      listPage(request, services, async (record) => ({
        kind: record.kind,
        ...(await presentReviewed(record, services)),
      })),
  );
  for (const kind of KINDS) registerKind(app, kind, services);
}

function registerKind(
  app: App,
  { kind, operation, title, note, schema, reportSchema }: (typeof KINDS)[number],
  services: Services,
): void {
  const { links, store } = services;
  const [path, word] = [KIND_PATHS[kind], KIND_WORDS[kind]];
  const reads = defineOperations(`${word}s`, 'inspections:read');
  const writes = defineOperations(`${word}s`, 'inspections:write');
  const params = Type.Object({ [`${word}_id`]: Id() });

  app.get(
    path,
    reads.defineGet(`list${operation}s`, `List ${title}s, newest first${note}`, {
      querystring: ListQuerySchema,
      response: { 200: describeResponse(defineInspectionList(schema), 'One page.') },
    }),
    (request) => listPage(request, services, (record) => presentReviewed(record, services), kind),
  );

  app.get(
    `${path}/:${word}_id`,
    reads.defineGet(`get${operation}`, `Fetch one ${title}${note}`, {
      params,
      response: { 200: describeData(schema, `The ${word}.`) },
    }),
    async (request) => succeed(await presentReviewed(await findRecord(kind, request, services), services)),
  );

  app.get(
    `${path}/:${word}_id/report`,
    reads.defineGet(`get${operation}Report`, `JSON report of a ${title}`, {
      params,
      response: { 200: describeData(reportSchema, 'The report.') },
    }),
    async (request) => succeed(presentReport(await findRecord(kind, request, services), links)),
  );

  app.delete(
    `${path}/:${word}_id`,
    writes.defineWithBody(`delete${operation}`, `Delete a ${title} with its files${note}`, {
      params,
      response: { 204: defineEmptyResponse('Deleted.') },
    }),
    async (request, reply) => {
      const { id } = await findRecord(kind, request, services);
      await removeInspections(store, { id });
      return reply.code(204).send(null);
    },
  );
}
