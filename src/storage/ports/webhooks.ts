import type { Environment, WebhookEvent } from '../../domain/account.ts';

export interface WebhookEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: string | null;
  /** `whsec_` + base64; during a rotation, the previous one also signs until it expires. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAtMs: number | null;
  readonly createdAt: string;
}

export interface NewWebhookMessage {
  readonly id: string;
  readonly endpointId: string;
  /** Inspection or assessment of the event; null for a sample. */
  readonly resourceId: string | null;
  readonly event: string;
  /** Exact body, signed and sent on every attempt. */
  readonly payload: string;
  readonly createdAt: string;
  readonly nextAttemptAtMs: number;
  /** Sandbox only: a failure to simulate on the first attempt. */
  readonly simulate: string | null;
}

export interface WebhookMessage extends NewWebhookMessage {
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
}

/** A message that is due, with the account of its endpoint. */
export interface DueMessage extends WebhookMessage {
  readonly accountId: string;
}

export interface WebhookAttempt {
  readonly messageId: string;
  readonly at: string;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookStore {
  createEndpoint(endpoint: WebhookEndpoint): Promise<void>;
  getEndpoint(id: string): Promise<WebhookEndpoint | undefined>;
  listEndpoints(accountId?: string, environment?: Environment): Promise<WebhookEndpoint[]>;
  updateEndpoint(
    id: string,
    change: Partial<
      Pick<
        WebhookEndpoint,
        | 'url'
        | 'description'
        | 'events'
        | 'status'
        | 'disabledReason'
        | 'secret'
        | 'previousSecret'
        | 'previousSecretExpiresAtMs'
      >
    >,
  ): Promise<boolean>;
  deleteEndpoint(id: string): Promise<boolean>;
  enqueue(messages: readonly NewWebhookMessage[]): Promise<void>;
  getMessage(id: string): Promise<WebhookMessage | undefined>;
  listMessages(
    endpointId: string,
    limit: number,
    offset: number,
  ): Promise<{ messages: WebhookMessage[]; total: number }>;
  listAttempts(messageId: string): Promise<WebhookAttempt[]>;
  /**
   * Makes pending messages scheduled after `latestMs`, while the clock was ahead, due at `nowMs`. Returns their number.
   */
  bringForward(latestMs: number, nowMs: number): Promise<number>;
  /** Returns pending messages due at `nowMs`, oldest first, at most `perEndpoint` each, and when the next is due. */
  listDue(
    environment: Environment,
    nowMs: number,
    perEndpoint: number,
  ): Promise<{ messages: DueMessage[]; nextAtMs: number | null }>;
  /** Returns the number of pending messages and the creation time of the oldest. */
  getBacklog(environment: Environment): Promise<{ pending: number; oldestAt: string | null }>;
  /** Records an attempt and the resulting state in one transaction. A message that is already delivered stays so. */
  recordAttempt(
    attempt: WebhookAttempt,
    result: { status: WebhookMessage['status']; nextAttemptAtMs: number },
  ): Promise<void>;
  /** Removes messages created before a time (ISO 8601) with their attempts, unless they are pending. */
  sweep(before: string): Promise<void>;
  /** Requeues a message, due at `nowMs` and with its attempts reset. */
  replay(id: string, nowMs: number): Promise<boolean>;
}
