import { Type } from 'typebox';
import { answer, PaginationSchema } from '../../contract/answers.ts';
import { PAGE_DEFAULT, PageQuerySchema } from '../../contract/requests.ts';
import {
  type Delivery,
  DeliverySchema,
  type VisualEvent,
  type Webhook,
  WebhookChangeSchema,
  WebhookRequestSchema,
  WebhookSchema,
} from '../../contract/webhooks.ts';
import type { WebhookEndpoint, WebhookEvent, WebhookMessage } from '../../storage/ports.ts';
import { ApiError } from '../http/api-error.ts';
import type { App, Caller } from '../http/app-type.ts';
import { callerOf } from '../http/auth.ts';
import type { Services } from '../services.ts';
import { mintSecret } from '../webhooks/sign.ts';
import { BODY_CODES, described, failures, SECURITY } from './schemas.ts';

const PATH = '/v1/webhooks';
const Params = Type.Object({ webhook_id: Type.String({ minLength: 1, maxLength: 128 }) });
const MessageParams = Type.Object({
  ...Params.properties,
  message_id: Type.String({ minLength: 1, maxLength: 128 }),
});
const ENDPOINTS_MAX = 20;
/** The old secret signs beside the new one for a day. */
const ROTATION_MS = 24 * 3_600_000;
const DEFAULT_EVENTS: readonly WebhookEvent[] = [
  'visual_inspection.completed',
  'damage_assessment.completed',
];

function present(endpoint: WebhookEndpoint, secret?: string): Webhook {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    created_at: endpoint.createdAt,
    ...(secret === undefined ? {} : { secret }),
  };
}

/** An event with the shape of the real ones and ids that belong to nothing. */
function sampleEvent(at: string): VisualEvent {
  return {
    event: 'visual_inspection.completed',
    timestamp: at,
    data: {
      inspection_id: 'vis_00000000000000000000000000',
      vehicle_id: 'veh_test',
      status: 'completed',
      damages_detected: 0,
      overall_condition: 'excellent',
      condition_score: 10,
      report_url: 'https://example.com/report.pdf',
    },
  };
}

async function delivery(message: WebhookMessage, services: Services): Promise<Delivery> {
  const attempts = await services.store.webhooks.attempts(message.id);
  return {
    message_id: message.id,
    event: message.event,
    created_at: message.createdAt,
    status: message.status,
    attempts: attempts.map((a) => ({
      at: a.at,
      status_code: a.statusCode,
      error: a.error,
      duration_ms: a.durationMs,
    })),
    next_attempt_at: message.status === 'pending' ? new Date(message.nextAttemptAtMs).toISOString() : null,
  };
}

/** Webhooks of the caller's account (extension): registration, secrets, delivery log, replay. */
export function webhookRoutes(app: App, services: Services): void {
  const { store, clock, settings, dispatcher } = services;
  const config = { permission: 'webhooks:manage' } as const;
  const tags = ['webhooks'];
  const One = described(answer(WebhookSchema), 'The webhook.');

  const notFound = () =>
    new ApiError('WEBHOOK_NOT_FOUND', 'There is no such webhook.', { field: 'webhook_id' });
  const own = (endpoint: WebhookEndpoint | undefined, caller: Caller): endpoint is WebhookEndpoint =>
    endpoint?.accountId === caller.account.id && endpoint.environment === settings.environment;
  async function find(id: string, caller: Caller): Promise<WebhookEndpoint> {
    const endpoint = await store.webhooks.getEndpoint(id);
    if (!own(endpoint, caller)) throw notFound();
    return endpoint;
  }
  function checkUrl(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const schemes = settings.allowHttpImages || settings.allowPrivate ? ['https:', 'http:'] : ['https:'];
    if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '') {
      throw new ApiError('INVALID_REQUEST', 'url must be an https address without user name and password.', {
        field: 'url',
      });
    }
    return url.href;
  }

  app.post(
    PATH,
    {
      config,
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Register a webhook (extension)',
        description: 'Deliveries are signed as in Standard Webhooks; `secret` is in this answer only.',
        security: SECURITY,
        body: WebhookRequestSchema,
        response: { 201: One, ...failures(...BODY_CODES) },
      },
    },
    async (request, reply) => {
      const { account } = callerOf(request);
      const url = checkUrl(request.body.url);
      const known = await store.webhooks.listEndpoints(account.id, settings.environment);
      if (known.length >= ENDPOINTS_MAX) {
        throw new ApiError('INVALID_REQUEST', `An account has at most ${ENDPOINTS_MAX} webhooks.`, {
          field: 'url',
        });
      }
      const endpoint: WebhookEndpoint = {
        id: clock.newId('whe'),
        accountId: account.id,
        environment: settings.environment,
        url,
        description: request.body.description ?? '',
        events: [...new Set(request.body.events ?? DEFAULT_EVENTS)],
        status: 'enabled',
        disabledReason: null,
        secret: mintSecret(),
        previousSecret: null,
        previousSecretExpiresAtMs: null,
        createdAt: clock.now().toISOString(),
      };
      await store.webhooks.createEndpoint(endpoint);
      return reply
        .code(201)
        .header('location', services.links.operation(`${PATH}/${endpoint.id}`))
        .send({ status: 'success', data: present(endpoint, endpoint.secret) });
    },
  );

  app.get(
    PATH,
    {
      config,
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhooks (extension)',
        security: SECURITY,
        response: {
          200: described(answer(Type.Object({ webhooks: Type.Array(WebhookSchema) })), 'All webhooks.'),
          ...failures(),
        },
      },
    },
    async (request) => {
      const endpoints = await store.webhooks.listEndpoints(
        callerOf(request).account.id,
        settings.environment,
      );
      return { status: 'success' as const, data: { webhooks: endpoints.map((e) => present(e)) } };
    },
  );

  app.get(
    `${PATH}/:webhook_id`,
    {
      config,
      schema: {
        operationId: 'getWebhook',
        tags,
        summary: 'Fetch one webhook (extension)',
        security: SECURITY,
        params: Params,
        response: { 200: One, ...failures('WEBHOOK_NOT_FOUND') },
      },
    },
    async (request) => ({
      status: 'success' as const,
      data: present(await find(request.params.webhook_id, callerOf(request))),
    }),
  );

  app.patch(
    `${PATH}/:webhook_id`,
    {
      config,
      schema: {
        operationId: 'updateWebhook',
        tags,
        summary: 'Change a webhook (extension)',
        security: SECURITY,
        params: Params,
        body: WebhookChangeSchema,
        response: { 200: One, ...failures(...BODY_CODES, 'WEBHOOK_NOT_FOUND') },
      },
    },
    async (request) => {
      const { id } = await find(request.params.webhook_id, callerOf(request));
      const { url, description, events, status } = request.body;
      await store.webhooks.updateEndpoint(id, {
        ...(url === undefined ? {} : { url: checkUrl(url) }),
        ...(description === undefined ? {} : { description }),
        ...(events === undefined ? {} : { events: [...new Set(events)] }),
        ...(status === undefined
          ? {}
          : { status, disabledReason: status === 'disabled' ? 'by request' : null }),
      });
      dispatcher.wake();
      return { status: 'success' as const, data: present(await find(id, callerOf(request))) };
    },
  );

  app.delete(
    `${PATH}/:webhook_id`,
    {
      config,
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Remove a webhook with its delivery log (extension)',
        security: SECURITY,
        params: Params,
        response: { 204: { type: 'null', description: 'Removed.' }, ...failures('WEBHOOK_NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const { id } = await find(request.params.webhook_id, callerOf(request));
      await store.webhooks.deleteEndpoint(id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${PATH}/:webhook_id/rotate`,
    {
      config,
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'New signing secret; the old one signs beside it for 24 hours (extension)',
        security: SECURITY,
        params: Params,
        response: { 200: One, ...failures('WEBHOOK_NOT_FOUND') },
      },
    },
    async (request) => {
      const endpoint = await find(request.params.webhook_id, callerOf(request));
      const secret = mintSecret();
      await store.webhooks.updateEndpoint(endpoint.id, {
        secret,
        previousSecret: endpoint.secret,
        previousSecretExpiresAtMs: clock.wallMs() + ROTATION_MS,
      });
      return { status: 'success' as const, data: present(endpoint, secret) };
    },
  );

  app.post(
    `${PATH}/:webhook_id/test`,
    {
      config,
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a sample event (extension)',
        security: SECURITY,
        params: Params,
        response: {
          202: described(answer(DeliverySchema), 'The delivery, under way.'),
          ...failures('WEBHOOK_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const endpoint = await find(request.params.webhook_id, callerOf(request));
      const at = clock.now().toISOString();
      const event = sampleEvent(at);
      const id = clock.newId('msg');
      await store.webhooks.enqueue([
        {
          id,
          endpointId: endpoint.id,
          event: event.event,
          payload: JSON.stringify(event),
          createdAt: at,
          nextAttemptAtMs: clock.wallMs(),
          simulate: request.simulate.webhook ?? null,
        },
      ]);
      const message = await store.webhooks.getMessage(id);
      if (!message) throw notFound();
      dispatcher.wake();
      return reply.code(202).send({ status: 'success', data: await delivery(message, services) });
    },
  );

  app.get(
    `${PATH}/:webhook_id/deliveries`,
    {
      config,
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'Delivery log, newest first (extension)',
        security: SECURITY,
        params: Params,
        querystring: PageQuerySchema,
        response: {
          200: described(
            answer(Type.Object({ deliveries: Type.Array(DeliverySchema), pagination: PaginationSchema })),
            'One page.',
          ),
          ...failures('WEBHOOK_NOT_FOUND'),
        },
      },
    },
    async (request) => {
      const endpoint = await find(request.params.webhook_id, callerOf(request));
      const limit = request.query.limit ?? PAGE_DEFAULT;
      const offset = request.query.offset ?? 0;
      const { messages, total } = await store.webhooks.listMessages(endpoint.id, limit, offset);
      const deliveries = await Promise.all(messages.map((message) => delivery(message, services)));
      const pagination = { total, limit, offset, has_more: offset + messages.length < total };
      return { status: 'success' as const, data: { deliveries, pagination } };
    },
  );

  app.post(
    `${PATH}/:webhook_id/deliveries/:message_id/replay`,
    {
      config,
      schema: {
        operationId: 'replayWebhookDelivery',
        tags,
        summary: 'Deliver a message once more (extension)',
        security: SECURITY,
        params: MessageParams,
        response: {
          202: described(answer(DeliverySchema), 'The delivery, under way.'),
          ...failures('WEBHOOK_NOT_FOUND'),
        },
      },
    },
    async (request, reply) => {
      const endpoint = await find(request.params.webhook_id, callerOf(request));
      const message = await store.webhooks.getMessage(request.params.message_id);
      if (message?.endpointId !== endpoint.id) {
        throw new ApiError('WEBHOOK_NOT_FOUND', 'There is no such delivery.', { field: 'message_id' });
      }
      await store.webhooks.replay(message.id, clock.wallMs());
      const now = (await store.webhooks.getMessage(message.id)) ?? message;
      dispatcher.wake();
      return reply.code(202).send({ status: 'success', data: await delivery(now, services) });
    },
  );
}
