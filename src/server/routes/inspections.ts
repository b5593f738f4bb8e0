import { defineInspectionList } from '../../contract/answers.ts';
import { DamageAssessmentSchema } from '../../contract/assessment/assessment.ts';
import { StringEnum } from '../../contract/common.ts';
import { VisualInspectionSchema } from '../../contract/inspection.ts';
import { ListQuerySchema } from '../../contract/requests.ts';
import { Type } from '../../lib/type.ts';
import type { App } from '../http/fastify-types.ts';
import { presentAssessment } from '../present-record.ts';
import { presentReviewed } from '../reviews/present-review.ts';
import type { Services } from '../services.ts';
import { listPage } from './listing.ts';
import { defineOperations, describeResponse } from './schemas.ts';

const defineRead = defineOperations('inspections', 'inspections:read');

const { vehicle_id, created_at, ...visualFields } = VisualInspectionSchema.properties;
/** Either kind, discriminated by `kind`; the fields match those of the separate lists. */
const AnyInspectionSchema = Type.Object({
  kind: StringEnum(['visual', 'damage_assessment'] as const),
  ...Type.Partial(DamageAssessmentSchema).properties,
  ...Type.Partial(Type.Object(visualFields)).properties,
  vehicle_id,
  created_at,
});

/** Registers the list of both kinds. */
export function registerInspectionRoutes(app: App, services: Services): void {
  app.get(
    '/v1/inspections',
    defineRead('listInspections', 'List visual inspections and damage assessments together, newest first', {
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
        ...(record.kind === 'visual'
          ? await presentReviewed(record, services)
          : presentAssessment(record, services.links)),
      })),
  );
}
