import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Account, ApiKey, Permission } from '../../storage/ports.ts';
import type { Limits } from './limits.ts';

/** The Fastify instance with TypeBox schemas as its types. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Who is calling, once the key has been accepted. */
export interface Caller {
  readonly account: Account;
  readonly key: ApiKey;
  readonly limits: Limits;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication; null on public addresses. */
    caller: Caller | null;
    /** Of an account with a limit: given back when the answer is out. */
    leaveGate: (() => void) | null;
    /** Sandbox: what `X-Vehi-Simulate` asks for. */
    simulate: import('./simulate.ts').Simulation;
    /** Files of a multipart request by name. */
    uploads: ReadonlyMap<string, Buffer> | null;
  }
  interface FastifyContextConfig {
    /** Needs no key. */
    public?: boolean;
    /** Answers also while the service is being stopped. */
    whileClosing?: boolean;
    /** What the key must be allowed; absent: any valid key. */
    permission?: Permission;
  }
}
