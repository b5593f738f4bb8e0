import { DEFAULT_WEBHOOK_EVENTS, WEBHOOK_EVENTS } from '../domain/account.ts';
import { NamedObject, type Static, StringEnum, Type } from '../lib/type.ts';
import { Nullable, OptionalText } from './common.ts';

/** Body of a `visual_inspection.completed` (or, on request, `.failed` or `.reviewed`) event. */
export const VisualEventSchema = NamedObject('VisualInspectionEvent', {
  event: StringEnum(WEBHOOK_EVENTS.filter((event) => event !== 'damage_assessment.completed')),
  timestamp: Type.String({ format: 'date-time' }),
  data: Type.Object({
    inspection_id: Type.String(),
    vehicle_id: Type.String(),
    status: Type.String(),
    damages_detected: Type.Integer({ minimum: 0 }),
    overall_condition: Nullable(Type.String()),
    condition_score: Nullable(Type.Number()),
    report_url: Type.String(),
  }),
});
export type VisualEvent = Static<typeof VisualEventSchema>;

/** Body of a `damage_assessment.completed` event. */
export const AssessmentEventSchema = NamedObject('DamageAssessmentEvent', {
  event: Type.Literal('damage_assessment.completed'),
  timestamp: Type.String({ format: 'date-time' }),
  data: Type.Object({
    assessment_id: Type.String(),
    vehicle_id: Type.String(),
    damages_assessed: Type.Integer({ minimum: 0 }),
    overall_severity: Type.String(),
    estimated_repair_cost: Type.Number(),
    value_reduction_percentage: Type.Number(),
    report_url: Type.String(),
  }),
});
export type AssessmentEvent = Static<typeof AssessmentEventSchema>;

const EndpointUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  examples: ['https://example.com/hooks/vehi'],
  description: 'https address without user name and password.',
});

export const WebhookRequestSchema = NamedObject('WebhookRequest', {
  url: EndpointUrl,
  description: Type.Optional(Type.String({ maxLength: 256 })),
  events: Type.Optional(
    Type.Array(StringEnum(WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: WEBHOOK_EVENTS.length,
      default: DEFAULT_WEBHOOK_EVENTS,
      description: 'Events that are sent to the address; those outside the default only where asked for.',
    }),
  ),
});

export const WebhookChangeSchema = NamedObject('WebhookChange', {
  url: Type.Optional(EndpointUrl),
  description: Type.Optional(Type.String({ maxLength: 256 })),
  events: Type.Optional(
    Type.Array(StringEnum(WEBHOOK_EVENTS), { minItems: 1, maxItems: WEBHOOK_EVENTS.length }),
  ),
  status: Type.Optional(StringEnum(['enabled', 'disabled'] as const)),
});

export const WebhookSchema = NamedObject('Webhook', {
  webhook_id: Type.String({ pattern: '^whe_' }),
  url: Type.String(),
  description: Type.String(),
  events: Type.Array(Type.String()),
  status: StringEnum(['enabled', 'disabled'] as const),
  disabled_reason: Nullable(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  secret: OptionalText('Shown once: when the webhook is made and when its secret is rotated.'),
});
export type Webhook = Static<typeof WebhookSchema>;

export const DeliverySchema = NamedObject('WebhookDelivery', {
  message_id: Type.String({ pattern: '^msg_' }),
  event: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  status: StringEnum(['pending', 'delivered', 'failed'] as const),
  attempts: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      status_code: Nullable(Type.Integer()),
      error: Nullable(Type.String()),
      duration_ms: Type.Integer({ minimum: 0 }),
    }),
  ),
  next_attempt_at: Nullable(Type.String({ format: 'date-time' })),
});
export type Delivery = Static<typeof DeliverySchema>;
