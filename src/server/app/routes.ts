import { existsSync } from 'node:fs';
import staticFiles from '@fastify/static';
import { type SessionAnswer, SessionSchema } from '../../contract/answers.ts';
import { envelop, Nullable } from '../../contract/common.ts';
import { resolvePackagePath } from '../../lib/package.ts';
import { Type } from '../../lib/type.ts';
import { authenticateForSignIn, findSessionCaller } from '../http/auth.ts';
import type { App, Caller } from '../http/fastify-types.ts';
import { beginSession, checkOrigin, endSession, findSession } from '../http/session.ts';
import { succeed } from '../http/success.ts';
import type { Services } from '../services.ts';

const PAGE_FOLDER = resolvePackagePath('dist/app/');

/** Security headers; the page may load only its own files, and show a report in a frame. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=()',
};

export const SESSION_PATH = '/app/session';
const hiddenSchema = { hide: true } as const;

/** Registers the web app at `/app`, and its sign-in and sign-out. */
export async function registerAppRoutes(app: App, services: Services): Promise<void> {
  const { settings, backend } = services;
  const presentSession = ({ account, key }: Caller): SessionAnswer => ({
    account_id: account.id,
    name: account.name,
    plan: account.plan,
    environment: key.environment,
    key_id: key.id,
    permissions: [...key.permissions],
    keep_views_days: settings.keepViewsDays,
    regions: [...backend.assessor.regions],
    region: settings.region,
    currencies: [...backend.assessor.currencies],
    currency: backend.assessor.getTerms(settings.region, settings.currency).currency,
    software_version: settings.softwareVersion,
  });

  app.post(
    SESSION_PATH,
    {
      config: { public: true, allowance: 'keys' },
      schema: {
        ...hiddenSchema,
        body: Type.Object({ api_key: Type.String({ minLength: 1, maxLength: 512 }) }),
        response: { 201: envelop(SessionSchema) },
      },
    },
    async (request, reply) => {
      checkOrigin(request);
      const caller = await authenticateForSignIn(request.body.api_key.trim(), services);
      const cookie = await beginSession(request, caller.key, services);
      return reply
        .code(201)
        .headers({ 'set-cookie': cookie, 'cache-control': 'no-store' })
        .send(succeed(presentSession(caller)));
    },
  );

  const schema = { ...hiddenSchema, response: { 200: envelop(Nullable(SessionSchema)) } };
  app.get(SESSION_PATH, { config: { public: true }, schema }, async (request, reply) => {
    const caller = await findSessionCaller(request, services);
    return reply.header('cache-control', 'no-store').send(succeed(caller && presentSession(caller)));
  });

  // Public, because the session of a suspended account or a revoked key can be ended too.
  app.delete(SESSION_PATH, { config: { public: true }, schema: hiddenSchema }, async (request, reply) => {
    const found = await findSession(request, services);
    if (found) reply.header('set-cookie', await endSession(request, found.session, services));
    return reply.code(204).send(null);
  });

  await registerPageFiles(app);
}

/** Registers the page's files; returns false if it was not built, which does not affect the API. */
export async function registerPageFiles(app: App): Promise<boolean> {
  app.get('/app', { config: { public: true }, schema: hiddenSchema }, async (_request, reply) =>
    reply.redirect('app/', 301),
  );
  if (!existsSync(PAGE_FOLDER)) return false;
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, public: true };
      route.schema = hiddenSchema;
    });
    await scope.register(staticFiles, {
      root: PAGE_FOLDER,
      prefix: '/app/',
      wildcard: false,
      decorateReply: false,
      cacheControl: false,
      setHeaders(reply, path) {
        const isPage = path.endsWith('.html');
        for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value);
        reply.header('cache-control', isPage ? 'no-store' : 'public, max-age=31536000, immutable');
      },
    });
  });
  return true;
}
