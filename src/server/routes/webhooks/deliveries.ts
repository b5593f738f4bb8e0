import { answerWithIgnored, PaginationSchema } from '../../../contract/answers.ts';
import { Id } from '../../../contract/common.ts';
import { PAGE_DEFAULT, PageQuerySchema } from '../../../contract/requests.ts';
import { type Delivery, DeliverySchema } from '../../../contract/webhooks.ts';
import { Type } from '../../../lib/type.ts';
import type { WebhookMessage } from '../../../storage/ports.ts';
import { ApiError } from '../../http/api-error.ts';
import type { App } from '../../http/fastify-types.ts';
import { succeed, succeedWithWarnings } from '../../http/success.ts';
import type { Services } from '../../services.ts';
import { describeData, describeResponse } from '../schemas.ts';
import { createWebhookFinder, defineGet, defineWithBody, WEBHOOKS_PATH, WebhookParams } from './endpoints.ts';

const DeliveriesSchema = Type.Object({
  deliveries: Type.Array(DeliverySchema),
  pagination: PaginationSchema,
});
const MessageParams = Type.Object({ ...WebhookParams.properties, message_id: Id() });

async function presentDelivery(message: WebhookMessage, { store }: Services): Promise<Delivery> {
  const attempts = await store.webhooks.listAttempts(message.id);
  // Zero stands for a message that has been due since its creation.
  const { nextAttemptAtMs: nextMs, createdAt } = message;
  const next_attempt_at = nextMs === 0 ? createdAt : new Date(nextMs).toISOString();
  return {
    message_id: message.id,
    event: message.event,
    created_at: createdAt,
    status: message.status,
    attempts: attempts.map((attempt) => ({
      at: attempt.at,
      status_code: attempt.statusCode,
      error: attempt.error,
      duration_ms: attempt.durationMs,
    })),
    next_attempt_at: message.status === 'pending' ? next_attempt_at : null,
  };
}

/** Registers the delivery log and replay (extension). */
export function registerWebhookDeliveryRoutes(app: App, services: Services): void {
  const { store, clock, dispatcher } = services;
  const findWebhook = createWebhookFinder(services);

  app.get(
    `${WEBHOOKS_PATH}/:webhook_id/deliveries`,
    defineGet('listWebhookDeliveries', 'Delivery log, newest first (extension)', {
      params: WebhookParams,
      querystring: PageQuerySchema,
      response: { 200: describeResponse(answerWithIgnored(DeliveriesSchema), 'One page.') },
    }),
    async (request) => {
      const endpoint = await findWebhook(request);
      const limit = request.query.limit ?? PAGE_DEFAULT;
      const offset = request.query.offset ?? 0;
      const { messages, total } = await store.webhooks.listMessages(endpoint.id, limit, offset);
      const deliveries = await Promise.all(messages.map((message) => presentDelivery(message, services)));
      const has_more = offset + messages.length < total;
      const pagination = { total, limit, offset, has_more, next_cursor: null };
      return succeedWithWarnings({ deliveries, pagination }, PageQuerySchema, request);
    },
  );

  app.post(
    `${WEBHOOKS_PATH}/:webhook_id/deliveries/:message_id/replay`,
    defineWithBody('replayWebhookDelivery', 'Deliver a message once more (extension)', {
      params: MessageParams,
      response: { 202: describeData(DeliverySchema, 'The delivery, due now or once enabled.') },
    }),
    async (request, reply) => {
      const endpoint = await findWebhook(request);
      const message = await store.webhooks.getMessage(request.params.message_id);
      if (message?.endpointId !== endpoint.id)
        throw new ApiError('WEBHOOK_NOT_FOUND', 'There is no such delivery.', { field: 'message_id' });
      await store.webhooks.replay(message.id, clock.wallMs());
      const replayed = (await store.webhooks.getMessage(message.id)) ?? message;
      dispatcher.wake();
      return reply.code(202).send(succeed(await presentDelivery(replayed, services)));
    },
  );
}
