import type { Environment, WebhookEvent } from '../../domain/choices.ts';

export interface WebhookEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
  readonly status: 'enabled' | 'disabled';
  readonly disabledReason: string | null;
  /** `whsec_` + base64; the previous one signs too until it expires (rotation). */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretExpiresAtMs: number | null;
  readonly createdAt: string;
}

export interface NewWebhookMessage {
  readonly id: string;
  readonly endpointId: string;
  /** Inspection or assessment the event is about; null for a sample. */
  readonly resourceId: string | null;
  readonly event: string;
  /** The exact body that is signed and sent at every attempt. */
  readonly payload: string;
  readonly createdAt: string;
  readonly nextAttemptAtMs: number;
  /** Sandbox only: a failure to play at the first attempt. */
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
  attempts(messageId: string): Promise<WebhookAttempt[]>;
  /**
   * Makes pending messages planned for after `latestMs` due at `nowMs`: they were planned while the clock was ahead.
   * Returns how many.
   */
  bringForward(latestMs: number, nowMs: number): Promise<number>;
  /**
   * Pending messages due at `nowMs`, at most `perEndpoint` of each endpoint, oldest first; and when the next is due.
   */
  due(
    environment: Environment,
    nowMs: number,
    perEndpoint: number,
  ): Promise<{ messages: DueMessage[]; nextAtMs: number | null }>;
  /** How many messages are pending, and since when the oldest waits for its first attempt or its retry. */
  backlog(environment: Environment): Promise<{ pending: number; oldestAt: string | null }>;
  /**
   * Logs an attempt and what comes of it, in one transaction. A message that another process has delivered meanwhile
   * stays delivered.
   */
  recordAttempt(
    attempt: WebhookAttempt,
    then: { status: WebhookMessage['status']; nextAttemptAtMs: number },
  ): Promise<void>;
  /** Puts a message back at the head of the queue, with a fresh count of attempts. */
  replay(id: string, nowMs: number): Promise<boolean>;
}
