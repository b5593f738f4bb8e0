import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Permission } from '../../domain/account.ts';
import type { Account, ApiKey } from '../../storage/ports.ts';
import type { Allowance } from './anonymous-limiter.ts';
import type { Limits } from './plan-limits.ts';
import type { Simulation } from './simulate.ts';
import type { OpenUpload } from './upload-budget.ts';

/** The Fastify instance, typed by TypeBox schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface Caller {
  readonly account: Account;
  readonly key: ApiKey;
  readonly limits: Limits;
}

/** Uploaded files of a request, staged in the store. */
export interface Uploads {
  /** Reads a file's bytes; undefined if no file of that name was uploaded. */
  read(name: string): Promise<Buffer | undefined>;
  /** Names and SHA-256 digests of the files in upload order. */
  digests(): readonly (readonly [name: string, sha256: string])[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication; null on public routes. */
    caller: Caller | null;
    /** Simulation requested by `X-Vehi-Simulate`; sandbox only. */
    simulate: Simulation;
    /** Files of a multipart request. */
    uploads: Uploads | null;
    /** Releases the resources of an upload at its end, unless a handler has taken it over. */
    endUpload: (() => Promise<void>) | null;
    /** A single photo's upload in progress. */
    openUpload: OpenUpload | null;
  }
  interface FastifyContextConfig {
    /** Requires no key. */
    public?: boolean;
    /** Per-address allowance that an anonymous request consumes; default: documents. */
    allowance?: Allowance;
    /** Still served while the service shuts down. */
    whileClosing?: boolean;
    /** Permission the key needs; absent: any valid key. */
    permission?: Permission;
  }
}
