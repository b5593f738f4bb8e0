import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from '../../domain/photo-limits.ts';
import { readBounded } from '../../lib/files.ts';
import { createLazyAgent, type OutgoingAgent } from './guarded-agent.ts';

export type FetchFailure = {
  readonly code: 'INVALID_REQUEST' | 'IMAGE_FETCH_FAILED' | 'IMAGE_TOO_LARGE';
  /** Machine-readable reason: `timeout`, `address_refused`, `http_404` … */
  readonly reason: string;
  readonly message: string;
};

const MAX_REDIRECTS = 3;

class FetchError extends Error {
  readonly failure: FetchFailure;
  constructor(reason: string, message: string, code: FetchFailure['code'] = 'IMAGE_FETCH_FAILED') {
    super(message);
    this.failure = { code, reason, message };
  }
}

const makeTooLargeError = () =>
  new FetchError('too_large', `the image is larger than ${MAX_IMAGE_MB} MB`, 'IMAGE_TOO_LARGE');

/** Parses an address, or the `Location` that `base` redirects to. */
function parseAddress(text: string, base?: URL): URL {
  const makeError = (reason: string, message: string) =>
    new FetchError(reason, message, base ? 'IMAGE_FETCH_FAILED' : 'INVALID_REQUEST');
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url && base) throw makeError('redirects', 'the server redirects to an invalid URL');
  if (!url) throw makeError('not_a_url', 'not a URL; an https address is needed');
  if (url.username === '' && url.password === '') return url;
  throw makeError('credentials', 'addresses with user name and password are not accepted');
}

function toFailure(error: unknown): FetchFailure {
  if (error instanceof FetchError) return error.failure;
  const makeFailure = (reason: string, message: string) => new FetchError(reason, message).failure;
  const { code: errorCode, name } = error as { code?: unknown; name?: unknown };
  const code = typeof errorCode === 'string' ? errorCode : String(name);
  if (code === 'ADDRESS_REFUSED')
    return makeFailure('address_refused', 'the address is not on the public Internet');
  if (/TIMEOUT|ABORT/i.test(code))
    return makeFailure('timeout', 'the server did not deliver the image in time');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return makeFailure('dns', 'the host name is not known');
  if (/CERT|TLS|SSL|SELF_SIGNED|VERIFY/.test(code))
    return makeFailure('tls', 'the server has no valid certificate');
  return makeFailure('connection', 'the connection failed before the image was complete');
}

/**
 * Creates a fetcher for caller-supplied URLs: https (http if allowed), public addresses only, at most three redirects,
 * each checked like the first URL, at most `MAX_IMAGE_BYTES` bytes counted while reading, and one deadline for the
 * whole fetch. `getOwnOrigin` returns the origin of this service (sandbox photos), whose scheme and address may be any.
 */
export function createPhotoFetcher(options: {
  agent: OutgoingAgent;
  allowHttp: boolean;
  getOwnOrigin: () => string | undefined;
  timeoutMs: number;
  userAgent: string;
}) {
  const ownAgent = createLazyAgent(({ Agent }) => new Agent({ keepAliveTimeout: 1_000 }));

  async function requestOnce(url: URL, signal: AbortSignal): Promise<Buffer | URL> {
    const isOwnOrigin = url.origin === options.getOwnOrigin();
    const schemes = options.allowHttp || isOwnOrigin ? ['https:', 'http:'] : ['https:'];
    if (!schemes.includes(url.protocol)) {
      const scheme = url.protocol.slice(0, -1);
      throw new FetchError('scheme', `${scheme} addresses are not accepted; an https address is needed`);
    }
    const { request } = await import('undici');
    const response = await request(url, {
      dispatcher: await (isOwnOrigin ? ownAgent : options.agent).open(),
      signal,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': options.userAgent },
    });
    const { statusCode, headers, body } = response;
    try {
      if (statusCode >= 300 && statusCode < 400 && typeof headers.location === 'string')
        return parseAddress(headers.location, url);
      if (statusCode !== 200) throw new FetchError(`http_${statusCode}`, `the server answered ${statusCode}`);
      const { 'content-encoding': encoding = 'identity' } = headers;
      if (encoding !== 'identity')
        throw new FetchError(
          'content_encoding',
          `the server sends the image with Content-Encoding ${encoding}; images are fetched without one`,
        );
      if (Number(headers['content-length'] ?? 0) > MAX_IMAGE_BYTES) throw makeTooLargeError();
      return await readBounded(body, MAX_IMAGE_BYTES, makeTooLargeError);
    } finally {
      body.on('error', () => undefined).destroy();
    }
  }

  async function followRedirects(text: string, signal: AbortSignal): Promise<Buffer> {
    let url = parseAddress(text);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const next = await requestOnce(url, signal);
      if (!(next instanceof URL)) return next;
      url = next;
    }
    throw new FetchError('redirects', `more than ${MAX_REDIRECTS} redirects`);
  }

  return {
    /** Fetches the photo at a caller-supplied URL, or returns why it cannot. */
    fetch(url: string, signal?: AbortSignal): Promise<Buffer | FetchFailure> {
      const deadline = AbortSignal.timeout(options.timeoutMs);
      return followRedirects(url, signal ? AbortSignal.any([signal, deadline]) : deadline).catch(toFailure);
    },
    async close() {
      await Promise.all([ownAgent.destroy(), options.agent.destroy()]);
    },
  };
}
