import type { Socket } from 'node:net';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import multipart from '@fastify/multipart';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { MINUTE_MS } from '../lib/durations.ts';
import { registerAppRoutes } from './app/routes.ts';
import { registerLifecycle } from './background.ts';
import { registerAdmission } from './http/admission.ts';
import { makeErrorEnvelope, makeRequestError, toApiError } from './http/api-error.ts';
import { MAX_JSON_BYTES, registerBodyParsers } from './http/bodies.ts';
import { registerErrors } from './http/errors.ts';
import type { App } from './http/fastify-types.ts';
import { registerHeadersAndLog } from './http/headers-and-log.ts';
import { MULTIPART_LIMITS } from './http/multipart.ts';
import { registerOpenApi, type ServedDocument } from './http/openapi.ts';
import { registerRequestChecks } from './http/request-checks.ts';
import { createServers, rejectMalformed, type Servers } from './http/servers.ts';
import { createValidator } from './http/validation.ts';
import { exportReview } from './reviews/exports.ts';
import { registerAccountRoutes } from './routes/account.ts';
import { registerAssessmentCreation } from './routes/create-assessment.ts';
import { registerFileRoutes } from './routes/files.ts';
import { registerInspectionRoutes } from './routes/inspections.ts';
import { registerKeyRoutes } from './routes/keys.ts';
import { type ReadMetrics, registerOperationRoutes } from './routes/operations.ts';
import { registerReviewRoutes } from './routes/reviews.ts';
import { registerUploadRoutes } from './routes/uploads.ts';
import { registerVisualCreation } from './routes/visual.ts';
import { registerWebhookDeliveryRoutes } from './routes/webhooks/deliveries.ts';
import { registerWebhookEndpointRoutes } from './routes/webhooks/endpoints.ts';
import { type AppParts, createServices } from './services.ts';
import { makeMessages, makeVisualEvent } from './webhooks/events.ts';

/** Maximum startup time; database and queue may be slow initially. */
const STARTUP_TIMEOUT_MS = MINUTE_MS;

function createFastify({ settings, clock, logger }: AppParts, servers: Servers): App {
  const options: FastifyServerOptions & { readonly https: object | null } = {
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
    // Fastify names the scheme in its listening address by this.
    https: settings.tls ?? null,
    serverFactory: servers.create,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => clock.newId('req'),
    requestIdHeader: false,
    bodyLimit: MAX_JSON_BYTES,
    trustProxy: settings.trustProxy,
    forceCloseConnections: 'idle',
    // Fastify's own response would lack the envelope; `registerLifecycle` refuses requests instead.
    return503OnClosing: false,
    pluginTimeout: STARTUP_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors(error: Error, request: FastifyRequest, reply: FastifyReply) {
      // No route is known yet, because the URL cannot be decoded.
      const apiError = toApiError(error) ?? makeRequestError('The address of the request is not valid.');
      reply.raw.setHeader('x-request-id', request.id);
      void reply.code(apiError.status).send(makeErrorEnvelope(apiError, request.id));
    },
    clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket) {
      rejectMalformed(error, socket, clock.newId('req'));
    },
  };
  return Fastify(options)
    .setValidatorCompiler(createValidator)
    .setSerializerCompiler(() => JSON.stringify)
    .withTypeProvider<TypeBoxTypeProvider>();
}

/** Returns the CORS options: pages of the listed origins may use any method and read the exposed response headers. */
function makeCorsOptions(origins: readonly string[]): FastifyCorsOptions {
  return {
    origin: (origin, done) =>
      done(null, origin !== undefined && (origins.includes(origin) || origins.includes('*'))),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Prefer', 'X-Vehi-Simulate'],
    exposedHeaders: [
      'X-Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Location',
      'Idempotency-Replayed',
    ],
    maxAge: 600,
    // The plugin's own rejection would lack the envelope.
    strictPreflight: false,
  };
}

/** The Fastify instance, with what its owner needs besides the routes. */
export type ServiceApp = App & {
  readonly document: ServedDocument;
  readonly readMetrics: ReadMetrics;
  /** Returns the address at which clients reach the service. */
  getAddress(): string;
  readonly setCertificate: Servers['setCertificate'];
};

/** Creates the service as a Fastify instance that does not listen yet. */
export async function createApp(parts: AppParts): Promise<ServiceApp> {
  const { settings } = parts;
  const servers = createServers(settings);
  const app = createFastify(parts, servers);
  const services = await createServices(parts, { kind: 'serve', log: app.log });
  const { links } = services;

  registerBodyParsers(app);
  registerErrors(app, (code) => services.metrics.errors.inc({ code }));
  registerHeadersAndLog(app, services);
  registerRequestChecks(app);
  if (settings.corsOrigins.length > 0) await app.register(cors, makeCorsOptions(settings.corsOrigins));
  app.addHook('onRoute', (route) => {
    // The documentation plugin registers its own routes.
    if (route.url.startsWith('/docs')) route.config = { ...route.config, public: true };
  });
  const isClosing = registerLifecycle(app, services, servers);
  registerAdmission(app, services);
  const document = await registerOpenApi(app, services);
  // Only visual inspections accept multipart uploads, and the parser hooks every request of its scope.
  await app.register(async (scope) => {
    await scope.register(multipart, { limits: MULTIPART_LIMITS, throwFileSizeLimit: false });
    registerVisualCreation(scope, services);
  });
  await app.register(async (scope) => registerUploadRoutes(scope, services));
  registerReviewRoutes(app, services, {
    announce: (record, results, at) =>
      makeMessages(makeVisualEvent(record, at, links, results), record, services),
    exportFile: (record, review, options) => exportReview(record, review, options, services),
  });
  registerAssessmentCreation(app, services);
  registerInspectionRoutes(app, services);
  registerAccountRoutes(app, services);
  registerKeyRoutes(app, services);
  registerWebhookEndpointRoutes(app, services);
  registerWebhookDeliveryRoutes(app, services);
  registerFileRoutes(app, services);
  await registerAppRoutes(app, services);
  const readMetrics = registerOperationRoutes(app, services, isClosing);
  app.addHook('onListen', async () => {
    links.setListeningUrl(app.listeningOrigin.replace(/\/\/(\[::\]|0\.0\.0\.0):/, '//localhost:'));
  });
  return Object.assign(app, {
    document,
    readMetrics,
    setCertificate: servers.setCertificate,
    getAddress: () => links.makeOperationUrl(''),
  });
}
