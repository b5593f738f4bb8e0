import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Permission } from '../../domain/choices.ts';
import type { Account, ApiKey, Session } from '../../storage/ports.ts';
import type { Limits } from './limits.ts';
import type { OpenUpload } from './upload-budget.ts';

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

/** The uploaded files of a request, staged in the store. */
export interface Uploads {
  has(name: string): boolean;
  /** The bytes of a file; undefined for a name that was not uploaded. */
  read(name: string): Promise<Buffer | undefined>;
  /** Names with the SHA-256 of their files, in the order of the upload. */
  digests(): readonly (readonly [name: string, sha256: string])[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication; null on public addresses. */
    caller: Caller | null;
    /** Set where the caller is a page that signed in. */
    session: Session | null;
    /** Of an account with a limit: given back when the answer is out. */
    leaveGate: (() => void) | null;
    /** Sandbox: what `X-Vehi-Simulate` asks for. */
    simulate: import('./simulate.ts').Simulation;
    /** Files of a multipart request. */
    uploads: Uploads | null;
    /** Gives back what an upload holds. */
    endUpload: (() => Promise<void>) | null;
    /** The upload of one photo, where it is under way. */
    openUpload: OpenUpload | null;
  }
  interface FastifyContextConfig {
    /** Needs no key. */
    public?: boolean;
    /** Which allowance of its address a caller of a public address uses; default: documents. */
    allowance?: import('./limits.ts').Allowance;
    /** Answers also while the service is being stopped. */
    whileClosing?: boolean;
    /** What the key must be allowed; absent: any valid key. */
    permission?: Permission;
  }
}
