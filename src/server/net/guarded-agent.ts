import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { isPublicAddress } from './public-address.ts';

/** A connection that was not made because its address is not public. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/** Resolves a name to all its addresses, as `dns.lookup` with `all` does. */
export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The HTTP client of the service, loaded when the first photo or event asks for it: it is a tenth of the start. */
export interface OutgoingAgent {
  open(): Promise<Agent>;
  /** Cuts what is under way; nothing to do where it was never opened. */
  destroy(): Promise<void>;
}

/** Puts off making an agent until it is needed. */
export function createLazyAgent(make: (undici: typeof import('undici')) => Agent): OutgoingAgent {
  let opened: Promise<Agent> | undefined;
  return {
    open() {
      opened ??= import('undici').then(make);
      return opened;
    },
    async destroy() {
      await (await opened)?.destroy();
    },
  };
}

/**
 * Creates an HTTP agent that connects to public addresses only. The check is made on the very addresses that are
 * connected to, so that a name that changes its answer gains nothing; IP literals, which no lookup sees, are checked
 * too.
 */
export function createGuardedAgent(options: {
  allowPrivate: boolean;
  connectTimeoutMs: number;
  lookup?: Lookup | undefined;
}): OutgoingAgent {
  const resolve = options.lookup ?? (systemLookup as Lookup);
  const guarded: LookupFunction = (host, wanted, done) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      if (!options.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new AddressRefused(`${host} is not a public address`), '', 0);
      }
      const first = addresses[0];
      if (!first) return done(new AddressRefused(`${host} has no address`), '', 0);
      if (wanted.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
  return createLazyAgent(({ Agent, buildConnector }) => {
    const connect = buildConnector({ lookup: guarded, timeout: options.connectTimeoutMs });
    return new Agent({
      connect(target, callback) {
        const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
        if (!options.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
          callback(new AddressRefused(`${host} is not a public address`), null);
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
