import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { answerWithIgnored } from '../../../contract/answers.ts';
import { Id } from '../../../contract/common.ts';
import {
  type Webhook,
  WebhookChangeSchema,
  WebhookRequestSchema,
  WebhookSchema,
} from '../../../contract/webhooks.ts';
import { DEFAULT_WEBHOOK_EVENTS } from '../../../domain/account.ts';
import { HOUR_MS } from '../../../lib/durations.ts';
import { defined } from '../../../lib/objects.ts';
import { Type } from '../../../lib/type.ts';
import type { WebhookEndpoint } from '../../../storage/ports.ts';
import { makeRequestError } from '../../http/api-error.ts';
import { findOwn, readCaller } from '../../http/auth.ts';
import type { App } from '../../http/fastify-types.ts';
import { succeed, succeedWithWarnings } from '../../http/success.ts';
import { isPublicAddress } from '../../net/public-address.ts';
import type { ServerSettings } from '../../server-settings.ts';
import type { Services } from '../../services.ts';
import { generateSecret } from '../../webhooks/sign.ts';
import {
  defineEmptyResponse,
  defineOperations,
  describeData,
  describeResponse,
  LOCATION,
} from '../schemas.ts';

export const WebhookParams = Type.Object({ webhook_id: Id() });

export const WEBHOOKS_PATH = '/v1/webhooks';

export const { defineGet, defineWithBody } = defineOperations('webhooks', 'webhooks:manage');

/** Maximum webhooks of an account in one environment. */
const MAX_ENDPOINTS = 20;
/** Time for which the old secret signs along with the new one. */
const SECRET_GRACE_HOURS = 24;
const WebhookResponse = describeData(WebhookSchema, 'The webhook.');

function presentWebhook(endpoint: WebhookEndpoint, secret?: string): Webhook {
  return {
    webhook_id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    created_at: endpoint.createdAt,
    ...defined({ secret }),
  };
}

/** Returns the normalized URL. @throws ApiError INVALID_REQUEST if nothing can be sent there */
function checkUrl(text: string, { allowPrivate }: ServerSettings): string {
  const makeError = (message: string) => makeRequestError(message, 'url');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '')
    throw makeError('url must be an https address without user name and password.');
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  const isLocal = /(^|\.)localhost$/i.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isLocal && !allowPrivate)
    throw makeError(`url: ${host} is not on the public Internet; nothing is sent there.`);
  return url.href;
}

export const createWebhookFinder = (services: Services) => (request: FastifyRequest) =>
  findOwn('webhook', request, services, services.store.webhooks.getEndpoint);

/** Registers the operations on webhooks and their secrets (extension). */
export function registerWebhookEndpointRoutes(app: App, services: Services): void {
  const { store, clock, settings, dispatcher } = services;
  const findWebhook = createWebhookFinder(services);

  app.post(
    WEBHOOKS_PATH,
    defineWithBody('createWebhook', 'Register a webhook (extension)', {
      description: 'Deliveries are signed as in Standard Webhooks; `secret` is never shown again.',
      body: WebhookRequestSchema,
      response: {
        201: describeResponse(answerWithIgnored(WebhookSchema), 'The webhook with its secret.', LOCATION),
      },
    }),
    async (request, reply) => {
      const { account } = readCaller(request);
      const url = checkUrl(request.body.url, settings);
      const existing = await store.webhooks.listEndpoints(account.id, settings.environment);
      if (existing.length >= MAX_ENDPOINTS)
        throw makeRequestError(`This account has ${MAX_ENDPOINTS} webhooks in this environment; delete one.`);
      const endpoint: WebhookEndpoint = {
        id: clock.newId('whe'),
        accountId: account.id,
        environment: settings.environment,
        url,
        description: request.body.description ?? '',
        events: [...new Set(request.body.events ?? DEFAULT_WEBHOOK_EVENTS)],
        status: 'enabled',
        disabledReason: null,
        secret: generateSecret(),
        previousSecret: null,
        previousSecretExpiresAtMs: null,
        createdAt: clock.now().toISOString(),
      };
      await store.webhooks.createEndpoint(endpoint);
      return reply
        .code(201)
        .header('location', services.links.makeOperationUrl(`${WEBHOOKS_PATH}/${endpoint.id}`))
        .send(succeedWithWarnings(presentWebhook(endpoint, endpoint.secret), WebhookRequestSchema, request));
    },
  );

  app.get(
    WEBHOOKS_PATH,
    defineGet('listWebhooks', 'List webhooks (extension)', {
      response: { 200: describeData(Type.Object({ webhooks: Type.Array(WebhookSchema) }), 'All webhooks.') },
    }),
    async (request) => {
      const { account } = readCaller(request);
      const endpoints = await store.webhooks.listEndpoints(account.id, settings.environment);
      return succeed({ webhooks: endpoints.map((endpoint) => presentWebhook(endpoint)) });
    },
  );

  app.get(
    `${WEBHOOKS_PATH}/:webhook_id`,
    defineGet('getWebhook', 'Fetch one webhook (extension)', {
      params: WebhookParams,
      response: { 200: WebhookResponse },
    }),
    async (request) => succeed(presentWebhook(await findWebhook(request))),
  );

  app.patch(
    `${WEBHOOKS_PATH}/:webhook_id`,
    defineWithBody('updateWebhook', 'Change a webhook (extension)', {
      params: WebhookParams,
      body: WebhookChangeSchema,
      response: { 200: describeResponse(answerWithIgnored(WebhookSchema), 'The webhook.') },
    }),
    async (request) => {
      const { id } = await findWebhook(request);
      const { url, description, events, status } = request.body;
      const change = defined({
        url: url && checkUrl(url, settings),
        description,
        events: events && [...new Set(events)],
        status,
        disabledReason: status && (status === 'disabled' ? 'by request' : null),
      });
      await store.webhooks.updateEndpoint(id, change);
      if (status === 'enabled') dispatcher.wake();
      return succeedWithWarnings(presentWebhook(await findWebhook(request)), WebhookChangeSchema, request);
    },
  );

  app.delete(
    `${WEBHOOKS_PATH}/:webhook_id`,
    defineWithBody('deleteWebhook', 'Remove a webhook with its delivery log (extension)', {
      params: WebhookParams,
      response: { 204: defineEmptyResponse('Removed.') },
    }),
    async (request, reply) => {
      const { id } = await findWebhook(request);
      await store.webhooks.deleteEndpoint(id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${WEBHOOKS_PATH}/:webhook_id/rotate`,
    defineWithBody(
      'rotateWebhookSecret',
      `New signing secret; the old one also signs for ${SECRET_GRACE_HOURS} hours (extension)`,
      {
        params: WebhookParams,
        response: { 200: WebhookResponse },
      },
    ),
    async (request) => {
      const endpoint = await findWebhook(request);
      const secret = generateSecret();
      await store.webhooks.updateEndpoint(endpoint.id, {
        secret,
        previousSecret: endpoint.secret,
        previousSecretExpiresAtMs: clock.wallMs() + SECRET_GRACE_HOURS * HOUR_MS,
      });
      return succeed(presentWebhook(endpoint, secret));
    },
  );
}
