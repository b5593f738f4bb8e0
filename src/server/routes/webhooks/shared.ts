import { Id } from '../../../contract/common.ts';
import { Type } from '../../../lib/type.ts';
import type { WebhookEndpoint } from '../../../storage/ports.ts';
import { ApiError } from '../../http/api-error.ts';
import type { Caller } from '../../http/fastify-types.ts';
import type { Services } from '../../services.ts';
import { defineOperations } from '../schemas.ts';

/** Path parameters of one webhook. */
export const WebhookParams = Type.Object({ webhook_id: Id() });

/** Path of the webhook collection. */
export const WEBHOOKS_PATH = '/v1/webhooks';

/** Builds the route options of an operation on webhooks. */
export const defineWebhookOperation = defineOperations('webhooks', 'webhooks:manage');

/**
 * Returns the caller's webhook by id; other accounts' webhooks count as missing.
 * @throws ApiError WEBHOOK_NOT_FOUND.
 */
export async function findWebhook(
  id: string,
  caller: Caller,
  { store, settings }: Services,
): Promise<WebhookEndpoint> {
  const endpoint = await store.webhooks.getEndpoint(id);
  const isOwn = endpoint?.accountId === caller.account.id && endpoint.environment === settings.environment;
  if (endpoint && isOwn) return endpoint;
  throw new ApiError('WEBHOOK_NOT_FOUND', 'There is no such webhook.', { field: 'webhook_id' });
}
