import { Id } from '../../../contract/common.ts';
import { Type } from '../../../lib/type.ts';
import { defineOperations } from '../schemas.ts';

/** Path parameters of one webhook. */
export const WebhookParams = Type.Object({ webhook_id: Id() });

/** Path of the webhook collection. */
export const WEBHOOKS_PATH = '/v1/webhooks';

/** Builds the route options of an operation on webhooks. */
export const defineWebhookOperation = defineOperations('webhooks', 'webhooks:manage');
