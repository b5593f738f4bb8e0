import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { VehiError } from '../lib/errors.ts';
import { hashBytes } from '../lib/ids.ts';
import { Type } from '../lib/type.ts';
import { registerPageFiles, SECURITY_HEADERS } from './app/routes.ts';
import { createClock } from './clock.ts';
import { ApiError, makeErrorEnvelope, makeRequestError } from './http/api-error.ts';
import { MAX_JSON_BYTES, registerBodyParsers } from './http/bodies.ts';
import { registerErrors } from './http/errors.ts';
import type { App } from './http/fastify-types.ts';
import { awaitListening } from './http/listening.ts';
import { registerRequestChecks } from './http/request-checks.ts';
import { isOriginOf } from './http/session.ts';
import { succeed } from './http/success.ts';
import { createValidator } from './http/validation.ts';
import { createLinks } from './links.ts';
import { DEFAULT_SETTINGS } from './server-settings.ts';

/** A page may stay open for weeks; links to its files expire when the command ends. */
const FILE_LINK_SECONDS = 365 * 86_400;

const makeSecret = () => randomBytes(24).toString('base64url');

const makeFileLinks = () =>
  createLinks({
    secret: makeSecret(),
    now: () => new Date(),
    settings: { ...DEFAULT_SETTINGS, linkLifetimeSeconds: FILE_LINK_SECONDS },
  });

/** Admits only the session of the most recently opened link. */
function createGate(linkTtlMs: number, onUsedLink: () => void) {
  /** Keyed by the hash of the token, like the secret, so that comparison time reveals nothing. */
  const tokens = new Map<string, { readonly expiresAtMs: number; isUsed: boolean }>();
  let secretHash: string | null = null;
  let fileLinks = makeFileLinks();
  return {
    newToken() {
      const token = makeSecret();
      tokens.set(hashBytes(token), { expiresAtMs: performance.now() + linkTtlMs, isUsed: false });
      return token;
    },
    /** Returns the secret of a new session, which ends the previous one; null if the link was used or has expired. */
    exchange(value: string): string | null {
      const token = tokens.get(hashBytes(value));
      if (!token || token.isUsed || performance.now() > token.expiresAtMs) {
        if (token?.isUsed) onUsedLink();
        return null;
      }
      token.isUsed = true;
      fileLinks = makeFileLinks();
      const secret = makeSecret();
      secretHash = hashBytes(secret);
      return secret;
    },
    holds: (value: unknown) => typeof value === 'string' && secretHash === hashBytes(value),
    fileLinks: () => fileLinks,
  };
}

interface PageOptions {
  /** True if a Host header names this command. */
  readonly isOwnHost: (host: string) => boolean;
  /** Path at which a link is exchanged for a session, and data that the page receives with its secret. */
  readonly session: { readonly path: string; readonly data: object };
  /** Message for a request without a session. */
  readonly noSession: string;
  readonly linkTtlMs: number;
  /** Called when an already used link is opened again. */
  readonly onUsedLink: () => void;
}

/**
 * Creates the app of a command's page, which parses requests and reports errors like the service. It refuses requests
 * for another host and from another origin; all but public routes need the session of a link, which one browser can open.
 */
export function createPageApp({ isOwnHost, session, noSession, linkTtlMs, onUsedLink }: PageOptions) {
  const { newId } = createClock();
  const app: App = Fastify({
    bodyLimit: MAX_JSON_BYTES,
    forceCloseConnections: true,
    genReqId: () => newId('req'),
  });
  app.setValidatorCompiler(createValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  registerBodyParsers(app);
  registerErrors(app);
  registerRequestChecks(app);
  const gate = createGate(linkTtlMs, onUsedLink);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-store' });
    const { host = '', origin } = request.headers;
    if (!isOwnHost(host)) {
      const error = makeRequestError(`${host} is not this command.`);
      return reply.code(421).send(makeErrorEnvelope(error, request.id));
    }
    if (origin !== undefined && !isOriginOf(host, origin))
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'The request comes from another page.');
    if (request.is404 || request.routeOptions.config.public) return;
    if (!gate.holds(request.headers['x-vehi-session'])) throw new ApiError('INVALID_API_KEY', noSession);
  });
  const body = Type.Object({ token: Type.String({ maxLength: 512 }) });
  app.post(session.path, { config: { public: true }, schema: { body } }, async (request) => {
    const secret = gate.exchange(request.body.token);
    if (secret === null)
      throw new ApiError('INSUFFICIENT_PERMISSIONS', 'This link was already used, or has expired.');
    return succeed({ ...session.data, secret });
  });
  return { app, gate };
}

/**
 * Adds the files of the page and listens; returns the port.
 * @throws VehiError engine PAGE_MISSING if the page was not built; usage CANNOT_LISTEN
 */
export async function openPage(app: App, host: string, port: number): Promise<number> {
  if (!(await registerPageFiles(app)))
    throw new VehiError('engine', 'PAGE_MISSING', 'the page of this command was not built.', {
      hint: 'Run npm run build.',
    });
  await awaitListening(app.listen({ host, port }), host, port);
  return (app.server.address() as AddressInfo).port;
}
