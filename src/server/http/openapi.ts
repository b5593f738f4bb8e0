import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { App } from './app-type.ts';

/** Schema of a multipart creation: the JSON body as one part, the photos as files. */
const UPLOAD_SCHEMA = {
  type: 'object',
  required: ['request', 'photos'],
  properties: {
    request: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The JSON body; `images[].url` names uploaded files.',
    },
    photos: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', format: 'binary' } },
  },
};

/**
 * What the page at `/docs` may load: its own files and nothing else, also over plain http, where asking for https
 * instead (the policy the library brings) leaves every other host than localhost with an empty page. The page may call
 * the service at the address of the document. The hash is of the one style attribute that Swagger UI writes.
 */
const pagePolicy = (baseUrl: string | undefined) => ({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  'img-src': "'self' data:",
  'connect-src': baseUrl === undefined ? "'self'" : `'self' ${new URL(baseUrl).origin}`,
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
});

/** The OpenAPI 3.1 document, made from the schemas that validate and serialise, at `/v1/openapi.json`; a page at `/docs`. */
export async function registerOpenApi(app: App, version: string, baseUrl: string | undefined): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vehicle Damage Inspection and Assessment Service',
        version,
        description:
          'Inspects photos of a vehicle and prices repairs. Every error is in the error envelope; every answer carries `X-Request-Id`, `RateLimit-Policy` and `RateLimit`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl ?? '/' }],
      tags: [
        { name: 'inspections', description: 'Visual inspections' },
        { name: 'assessments', description: 'Damage assessments' },
        { name: 'account', description: 'Keys and accounts' },
        { name: 'webhooks', description: 'Completion events' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
          query: {
            type: 'apiKey',
            in: 'query',
            name: 'api_key',
            description: '`dev_` keys only; never in production.',
          },
        },
      },
    },
    transform({ schema, url, route }) {
      const upload = (schema as { body?: { content?: Record<string, unknown> } } | undefined)?.body?.content;
      if (!upload?.['multipart/form-data'] || route === undefined) return { schema: schema ?? {}, url };
      const body = { content: { ...upload, 'multipart/form-data': { schema: UPLOAD_SCHEMA } } };
      return { schema: { ...schema, body } as never, url };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: pagePolicy(baseUrl),
    logLevel: 'silent',
  });
  app.get('/v1/openapi.json', { config: { public: true }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
}
