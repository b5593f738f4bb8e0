import { gzipSync } from 'node:zlib';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MAX_IMAGES } from '../../domain/photo-limits.ts';
import type { Services } from '../services.ts';
import type { App } from './fastify-types.ts';
import { completeDocument, type DocumentAddresses } from './openapi-document.ts';
import { sendBytes } from './send-bytes.ts';

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
    photos: { type: 'array', minItems: 1, maxItems: MAX_IMAGES, items: { type: 'string', format: 'binary' } },
  },
};

/**
 * Returns the content security policy of the page at `/docs`. It may load only its own files, over plain http too,
 * because the library's `upgrade-insecure-requests` blanks the page on any host but localhost. The page may call the
 * service at the document's address. The hash allows the only style attribute that Swagger UI writes.
 */
const makePagePolicy = (baseUrl: string | undefined) => ({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  'img-src': "'self' data:",
  'connect-src': baseUrl === undefined ? "'self'" : `'self' ${new URL(baseUrl).origin}`,
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
});

/** Logo of vehi: a car's outline with one marked spot. */
const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#1f2937"/><path d="M10 40v-7l7-3 6-9h18l8 9 5 2v8z" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round"/><circle cx="21" cy="41" r="5" fill="#1f2937" stroke="#fff" stroke-width="3"/><circle cx="44" cy="41" r="5" fill="#1f2937" stroke="#fff" stroke-width="3"/><circle cx="46" cy="21" r="8" fill="none" stroke="#f59e0b" stroke-width="3"/></svg>`;

/** Creates the served document with its serializations, built on first use and rebuilt only if the address changes. */
function createServedDocument(app: App, getAddresses: () => DocumentAddresses) {
  let cached: { address: string | undefined; object: object; json: Buffer; gzip: Buffer } | undefined;
  return () => {
    const addresses = getAddresses();
    if (cached === undefined || cached.address !== addresses.address) {
      const object = completeDocument(app.swagger(), addresses);
      const json = Buffer.from(JSON.stringify(object));
      cached = { address: addresses.address, object, json, gzip: gzipSync(json) };
    }
    return cached;
  };
}
export type ServedDocument = ReturnType<typeof createServedDocument>;

/** Registers the OpenAPI 3.1 document of the validation schemas at `/v1/openapi.json`, and its page at `/docs`. */
export async function registerOpenApi(
  app: App,
  { settings, links }: Pick<Services, 'settings' | 'links'>,
): Promise<ServedDocument> {
  const { softwareVersion: version, baseUrl } = settings;
  const document = createServedDocument(app, () => ({
    server: baseUrl ?? '/',
    address: links.getBaseUrl(),
    demoPhotos: settings.demoPhotos !== undefined,
  }));
  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    reply
      .type('application/json; charset=utf-8')
      .headers({ vary: 'accept-encoding', 'cache-control': 'no-cache' });
    const accepted = String(request.headers['accept-encoding']);
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted);
    if (!takesGzip) return sendBytes(request, reply, document().json);
    return sendBytes(request, reply.header('content-encoding', 'gzip'), document().gzip);
  };

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'vehi: vehicle damage inspection and assessment',
        version,
        description:
          'Inspects photos of a vehicle and prices repairs. Every error is in the error envelope; every answer to a well-formed request carries `X-Request-Id`, `RateLimit-Policy` and `RateLimit`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'inspections', description: 'Visual inspections' },
        { name: 'reviews', description: 'Results corrected by a reviewer' },
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
      const content = (schema as { body?: { content?: Record<string, unknown> } } | undefined)?.body?.content;
      if (!content?.['multipart/form-data'] || route === undefined) return { schema: schema ?? {}, url };
      const body = { content: { ...content, 'multipart/form-data': { schema: UPLOAD_SCHEMA } } };
      return { schema: { ...schema, body }, url };
    },
  });
  // The plugin's own handlers would rebuild the document for every request.
  app.addHook('onRoute', (route) => {
    if (route.url === '/docs/json') route.preHandler = sendDocument;
    // The document is served as JSON only.
    if (route.url === '/docs/yaml')
      route.preHandler = async (_request, reply) => reply.redirect('../v1/openapi.json', 302);
  });
  const logo = { type: 'image/svg+xml', content: Buffer.from(LOGO_SVG) };
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: makePagePolicy(baseUrl),
    logLevel: 'silent',
    logo: { ...logo, href: '/docs/' },
    theme: { title: 'vehi API', favicon: [{ ...logo, filename: 'mark.svg', rel: 'icon', sizes: 'any' }] },
  });
  app.get('/v1/openapi.json', { config: { public: true }, schema: { hide: true } }, sendDocument);
  return document;
}
