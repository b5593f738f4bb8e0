import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { isPublicAddress } from './public-address.ts';

/** Connection refused because the address is not public. */
class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = 'ADDRESS_REFUSED';
}

/** Resolves a host name to all its addresses, like `dns.lookup` with `all`. */
export type Lookup = (
  host: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Creates an HTTP client that is loaded on first use, because that takes a tenth of the startup time. */
export function createLazyAgent(create: (undici: typeof import('undici')) => Agent) {
  let agent: Promise<Agent> | undefined;
  return {
    open(): Promise<Agent> {
      agent ??= import('undici').then(create);
      return agent;
    },
    /** Aborts open requests; does nothing if the agent was never opened. */
    async destroy() {
      await (await agent)?.destroy();
    },
  };
}
export type OutgoingAgent = ReturnType<typeof createLazyAgent>;

/**
 * Creates an HTTP agent that connects only to public addresses. It checks the resolved addresses it connects to, which
 * defeats DNS rebinding, and also IP literals, which bypass the lookup.
 */
export function createGuardedAgent(options: {
  allowPrivate: boolean;
  connectTimeoutMs: number;
  lookup?: Lookup | undefined;
}): OutgoingAgent {
  const resolve = options.lookup ?? (systemLookup as Lookup);
  const guardedLookup: LookupFunction = (host, lookupOptions, callback) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      if (!options.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new AddressRefusedError(`${host} is not a public address`), '', 0);
      }
      const first = addresses[0];
      if (!first) return callback(new AddressRefusedError(`${host} has no address`), '', 0);
      if (lookupOptions.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
  return createLazyAgent(({ Agent, buildConnector }) => {
    const connect = buildConnector({ lookup: guardedLookup, timeout: options.connectTimeoutMs });
    return new Agent({
      connect(target, callback) {
        const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
        if (!options.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
          callback(new AddressRefusedError(`${host} is not a public address`), null);
          return;
        }
        connect(target, callback);
      },
      keepAliveTimeout: 4_000,
      connections: 32,
      pipelining: 1,
    });
  });
}
