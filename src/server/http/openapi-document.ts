import { STATUS_CODES } from 'node:http';
import { defineErrorEnvelope } from '../../contract/common.ts';
import type { VisualRequest } from '../../contract/requests.ts';
import {
  type AssessmentEvent,
  AssessmentEventSchema,
  type VisualEvent,
  VisualEventSchema,
} from '../../contract/webhooks.ts';
import { DEFAULT_GRACE_HOURS, RECOMMENDED_KEY_DAYS, WEBHOOK_EVENTS } from '../../domain/account.ts';
import type { JsonObject } from '../../lib/fields.ts';
import { SCHEMA_NAME } from '../../lib/type.ts';
import { DEMO_PHOTOS_PATH } from '../links.ts';
import { mayLackBody } from './bodies.ts';

type WebhookEventName = (typeof WEBHOOK_EVENTS)[number];

/** Response headers in the OpenAPI document, by name. */
export type Headers = Readonly<Record<string, { readonly type: 'string'; readonly description: string }>>;
export const describeHeader = (description: string) => ({ type: 'string', description }) as const;

export const COMMON_HEADERS: Headers = {
  'X-Request-Id': describeHeader('Id of this request, for the logs on both sides.'),
  'RateLimit-Policy': describeHeader('The limit: `"hour";q=<requests>;w=<seconds>`.'),
  RateLimit: describeHeader(
    'What the account has left: `"hour";r=<left>;t=<seconds until it starts again>`.',
  ),
};
export const RETRY_HEADERS: Headers = {
  'Retry-After': describeHeader('Seconds to wait before the next try.'),
};
/** Headers that the OpenAPI document describes once. */
const SHARED_HEADERS: Headers = { ...COMMON_HEADERS, ...RETRY_HEADERS };

/** Addresses at which the document is served. */
export interface DocumentAddresses {
  /** API URL for readers of the document; `/` fits any host name of the service. */
  readonly server: string;
  /** The service's own address; undefined if it is not running. */
  readonly address: string | undefined;
  /** True if the sandbox serves demo photos, which the examples then use. */
  readonly demoPhotos: boolean;
}

const EXAMPLE_ANGLES = ['front', 'rear', 'left_side', 'right_side'] as const;

/** Returns valid example request bodies by operation. */
function makeExamples({ address, demoPhotos }: DocumentAddresses): Readonly<Record<string, object>> {
  const isServed = demoPhotos && address !== undefined;
  const photos = isServed ? `${address}${DEMO_PHOTOS_PATH}` : 'https://photos.example.com/veh_001';
  const visual: VisualRequest = {
    vehicle_id: 'veh_001',
    images: EXAMPLE_ANGLES.map((angle) => ({ url: `${photos}/${angle}.jpg`, angle, type: 'exterior' })),
    options: { detailed_analysis: true, generate_report: true, detect_hidden_damage: false },
  };
  return {
    createVisualInspection: visual,
    createDamageAssessment: {
      vehicle_id: 'veh_001',
      damages: [
        { damage_id: 'dmg_001', type: 'scratch', location: 'front_bumper', severity: 'minor' },
        { damage_id: 'dmg_002', type: 'dent', location: 'hood', severity: 'moderate' },
      ],
      assessment_options: { labor_rate_region: 'US_MIDWEST', currency: 'USD' },
    },
    createWebhook: { url: 'https://example.com/hooks/vehi', description: 'Claims' },
    createKey: {
      name: 'Claims desk',
      permissions: ['inspections:read'],
      expires_in_days: RECOMMENDED_KEY_DAYS,
    },
    rotateKey: { grace_hours: DEFAULT_GRACE_HOURS },
    changeReview: { revision: 0, reviewer: 'Ada', decisions: [{ decision: 'nothing_more', image_index: 0 }] },
    placeBox: { image_index: 0, box: { x: 500, y: 400, width: 200, height: 80 } },
    finishReview: { revision: 0 },
    updateWebhook: { description: 'Claims desk' },
  };
}

const SIGNATURE_HEADERS = {
  'webhook-id': 'Id of the message; the same at every attempt.',
  'webhook-timestamp': 'Seconds since 1970 when it was sent.',
  'webhook-signature': '`v1,` and the HMAC-SHA256 of id, timestamp and body; two during a rotation.',
};

const VISUAL_EXAMPLE: VisualEvent['data'] = {
  inspection_id: 'vis_01KGA4M9QW3T5V7X8Y0Z2B4D6F',
  vehicle_id: 'veh_001',
  status: 'completed',
  damages_detected: 2,
  overall_condition: 'good',
  condition_score: 7.8,
  report_url: 'https://vehi.example.com/files/vis_01KGA4M9QW3T5V7X8Y0Z2B4D6F/report.pdf',
};
const EXAMPLE_OPERATION_URL = `https://vehi.example.com/v1/inspections/visual/${VISUAL_EXAMPLE.inspection_id}`;

/** Example data of the events. */
const EVENT_DATA: Readonly<Record<WebhookEventName, (VisualEvent | AssessmentEvent)['data']>> = {
  'visual_inspection.completed': VISUAL_EXAMPLE,
  'visual_inspection.reviewed': { ...VISUAL_EXAMPLE, report_url: `${EXAMPLE_OPERATION_URL}/review` },
  'visual_inspection.failed': {
    ...VISUAL_EXAMPLE,
    status: 'failed',
    damages_detected: 0,
    overall_condition: null,
    condition_score: null,
    report_url: `${EXAMPLE_OPERATION_URL}/report`,
  },
  'damage_assessment.completed': {
    assessment_id: 'asmt_01KGA4PB3C5D7F9H1K3M5P7R9T',
    vehicle_id: 'veh_001',
    damages_assessed: 2,
    overall_severity: 'moderate',
    estimated_repair_cost: 1240.5,
    value_reduction_percentage: 4.2,
    report_url: 'https://vehi.example.com/files/asmt_01KGA4PB3C5D7F9H1K3M5P7R9T/report.pdf',
  },
};

/** Describes the events sent to webhooks. */
function describeWebhooks(): JsonObject {
  const describe = (event: WebhookEventName) => ({
    post: {
      operationId: `on_${event.replace('.', '_')}`,
      tags: ['webhooks'],
      // Events carry a signature instead of a key.
      security: [],
      summary: `\`${event}\``,
      description:
        'Signed as in Standard Webhooks. Any 2xx answer counts as delivered; 410 disables the webhook.',
      parameters: Object.entries(SIGNATURE_HEADERS).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: event.startsWith('visual') ? VisualEventSchema : AssessmentEventSchema,
            example: { event, timestamp: '2026-01-31T12:00:05.120Z', data: EVENT_DATA[event] },
          },
        },
      },
      responses: { '2XX': { description: 'Delivered.' }, '410': { description: 'Disables the webhook.' } },
    },
  });
  return Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, describe(event)]));
}

const makeReference = (kind: 'schemas' | 'headers' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Replaces every named schema by a reference, adding the schema to `schemas`. */
function shareNamed(value: unknown, schemas: Record<string, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((child) => shareNamed(child, schemas));
  const { [SCHEMA_NAME]: name, ...plain } = value as JsonObject;
  const shareChildren = () =>
    Object.fromEntries(Object.entries(plain).map(([key, child]) => [key, shareNamed(child, schemas)]));
  if (typeof name !== 'string') return shareChildren();
  schemas[name] ??= shareChildren();
  return makeReference('schemas', name);
}

interface DocumentOperation {
  readonly operationId?: string;
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, JsonObject>>;
  };
  readonly responses: Readonly<Record<string, JsonObject>>;
}

/** Adds an operation's example to its JSON body, and whether the body may be absent, which the plugin does not say. */
function completeBody(operation: DocumentOperation, example: object | undefined): DocumentOperation {
  const { requestBody } = operation;
  if (example === undefined || requestBody === undefined) return operation;
  const { content } = requestBody;
  const json: JsonObject = { ...content['application/json'], example };
  const required = !mayLackBody(json.schema as object);
  return { ...operation, requestBody: { required, content: { ...content, 'application/json': json } } };
}

/** Collects identical error responses of all operations: `BadRequest`, and `BadRequest2` for one with other codes. */
function createErrorResponses() {
  const names = new Map<string, string>();
  const components: Record<string, JsonObject> = {};
  const share = (status: string, response: JsonObject): JsonObject => {
    if (Number(status) < 400) return response;
    const key = status + JSON.stringify(response);
    let name = names.get(key);
    if (name === undefined) {
      const base = (STATUS_CODES[status] ?? status).replace(/\W/g, '');
      let count = 1;
      for (name = base; name in components; name = `${base}${count}`) count++;
      names.set(key, name);
      components[name] = response;
    }
    return makeReference('responses', name);
  };
  return { components, share };
}

/** Replaces headers shared by many responses with references. */
function shareHeaders({ headers, ...response }: JsonObject): JsonObject {
  if (headers === undefined) return response;
  const shared = Object.entries(headers as JsonObject).map(([name, header]) => [
    name,
    name in SHARED_HEADERS ? makeReference('headers', name) : header,
  ]);
  return { ...response, headers: Object.fromEntries(shared) };
}

/** Completes the OpenAPI document of the routes with shared components, webhook events, examples and the server address. */
export function completeDocument(generated: object, addresses: DocumentAddresses): JsonObject {
  const document = generated as {
    paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
    components?: JsonObject;
  } & JsonObject;
  const schemas: Record<string, unknown> = { Error: defineErrorEnvelope() };
  const examples = makeExamples(addresses);
  const errors = createErrorResponses();
  const completeOperation = (generated: DocumentOperation) => {
    const completed = completeBody(generated, examples[generated.operationId ?? '']);
    const operation = shareNamed(completed, schemas) as DocumentOperation;
    const responses = Object.entries(operation.responses).map(([status, one]) => [
      status,
      errors.share(status, shareHeaders(one)),
    ]);
    return { ...operation, responses: Object.fromEntries(responses) };
  };
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, completeOperation(operation)]),
    ),
  ]);
  const headers = Object.entries(SHARED_HEADERS).map(([name, { type, description }]) => [
    name,
    { schema: { type }, description },
  ]);
  return {
    ...document,
    servers: [{ url: addresses.server }],
    paths: Object.fromEntries(paths),
    webhooks: shareNamed(describeWebhooks(), schemas),
    components: {
      ...document.components,
      headers: Object.fromEntries(headers),
      responses: errors.components,
      schemas,
    },
  };
}
