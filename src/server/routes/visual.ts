import { InspectionEnvelopeSchema } from '../../contract/inspection.ts';
import { type VisualRequest, VisualRequestSchema } from '../../contract/requests.ts';
import { MAX_IMAGES, MIN_IMAGES } from '../../domain/photo-limits.ts';
import type { SchemaRules } from '../../lib/check.ts';
import { checkEnum } from '../../lib/check-value.ts';
import { Type } from '../../lib/type.ts';
import type { Backend } from '../backend.ts';
import type { App } from '../http/fastify-types.ts';
import { readMultipart } from '../http/multipart.ts';
import { createValidator } from '../http/validation.ts';
import { VISUAL_PATH } from '../links.ts';
import type { Services } from '../services.ts';
import { createVisual } from './create-visual.ts';
import { createOnce } from './creation.ts';
import { defineOperations, describeResponse, IdempotencyHeaders, LOCATION, POLL_HEADERS } from './schemas.ts';

const REGION = 'options.labor_rate_region';
const CURRENCY = 'options.currency';

/** Returns the rules beyond the schema of a visual request: the operator's regions and currencies, and error codes. */
function createVisualRules({ regions, currencies }: Backend['assessor']): SchemaRules {
  return {
    chooseCode,
    nullIsAbsent: true,
    validators: {
      [REGION]: (value) => checkEnum(value, regions),
      [CURRENCY]: (value) => checkEnum(value, currencies),
    },
  };
}

function chooseCode(field: string, value: unknown): string {
  if (field === REGION) return 'INVALID_REGION';
  if (field === CURRENCY) return 'INVALID_CURRENCY';
  const images = value === undefined ? [] : value;
  if (field === 'images' && Array.isArray(images)) {
    if (images.length < MIN_IMAGES) return 'INSUFFICIENT_IMAGES';
    if (images.length > MAX_IMAGES) return 'TOO_MANY_IMAGES';
  }
  return 'INVALID_REQUEST';
}

/** Registers the operation that creates visual inspections; the app must have the multipart parser. */
export function registerVisualCreation(app: App, services: Services): void {
  const rules = createVisualRules(services.backend.assessor);
  app.post(
    VISUAL_PATH,
    {
      ...defineOperations('inspections', 'inspections:write').defineWithBody(
        'createVisualInspection',
        'Create a visual inspection',
        {
          description:
            'Answers 201 with the result, or 202 with `status: processing` when `Prefer: respond-async` is sent or there is more work than is done inline. Photos may be sent as multipart/form-data: part `request` holds this JSON body, each `images[].url` names one of the uploaded files.',
          headers: Type.Object({
            prefer: Type.Optional(Type.String({ description: '`respond-async` answers 202 at once.' })),
            ...IdempotencyHeaders.properties,
          }),
          body: {
            content: {
              'application/json': { schema: VisualRequestSchema },
              'multipart/form-data': { schema: VisualRequestSchema },
            },
          },
          response: {
            201: describeResponse(
              InspectionEnvelopeSchema,
              'The inspection, analyzed (or `failed`).',
              LOCATION,
            ),
            202: describeResponse(
              InspectionEnvelopeSchema,
              'The inspection, `processing`; its address is in `Location`.',
              POLL_HEADERS,
            ),
          },
          codes: [
            'INSUFFICIENT_IMAGES',
            'TOO_MANY_IMAGES',
            'INVALID_REGION',
            'INVALID_CURRENCY',
            'IMAGE_QUALITY_TOO_LOW',
            'IMAGE_TOO_LARGE',
            'UNSUPPORTED_IMAGE_FORMAT',
            'IMAGE_UNREADABLE',
            'IMAGE_FETCH_FAILED',
            'IDEMPOTENCY_CONFLICT',
          ],
        },
      ),
      validatorCompiler: (route) => createValidator(route, rules),
      preValidation: (request, reply) => readMultipart(request, reply, services),
    },
    async (request, reply) => {
      const body = request.body as VisualRequest;
      // The handler needs the photos until it ends, even if the client disconnects earlier.
      const end = request.endUpload;
      request.endUpload = null;
      return createOnce(request, reply, 'visual', services, (ref) =>
        createVisual(request, body, ref, services),
      ).finally(end ?? (() => undefined));
    },
  );
}
