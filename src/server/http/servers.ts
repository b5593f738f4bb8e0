import http, { maxHeaderSize, type RequestListener, STATUS_CODES } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { ServerSettings } from '../server-settings.ts';
import { ApiError, makeErrorEnvelope, makeRequestError } from './api-error.ts';

/** Unanswered requests on one connection above which it is cut. No browser and no common client pipelines at all. */
const MAX_PIPELINED = 32;
/** Maximum duration of a TLS handshake in milliseconds. */
const MAX_HANDSHAKE_MS = 10_000;
const CHECK_INTERVAL_MS = 2_000;
const MAX_CONNECTIONS = 20_000;

/**
 * Creates the HTTP or HTTPS servers of the service (Fastify opens one per address of `localhost`), with Node's
 * timeouts. They disconnect a client that pipelines too many requests.
 */
export function createServers(settings: ServerSettings) {
  const servers = new Set<http.Server>();
  const unanswered = new WeakMap<Socket, number>();
  const options = {
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    handshakeTimeout: Math.min(MAX_HANDSHAKE_MS, settings.headersTimeoutMs),
    // `registerRequestChecks` refuses it in the envelope.
    requireHostHeader: false,
  };
  const count = (socket: Socket, change: number) => {
    const total = (unanswered.get(socket) ?? 0) + change;
    unanswered.set(socket, total);
    return total;
  };
  return {
    create(handle: RequestListener): http.Server {
      const listener: RequestListener = (request, response) => {
        const { socket } = request;
        if (socket.destroyed) return;
        if (count(socket, 1) > MAX_PIPELINED) return void socket.destroy();
        response.once('close', () => count(socket, -1));
        handle(request, response);
      };
      const server = settings.tls
        ? https.createServer({ ...options, ...settings.tls }, listener)
        : http.createServer(options, listener);
      server.maxConnections = MAX_CONNECTIONS;
      // Otherwise Node would request the body of a refused request, or respond without a body.
      server.on('checkContinue', listener).on('checkExpectation', listener);
      // Otherwise Node would close the connection without a response.
      server.on('connect', (_request, socket) =>
        server.emit('clientError', Object.assign(new Error(), { code: 'HPE_INVALID_METHOD' }), socket),
      );
      servers.add(server);
      return server;
    },
    closeIdleConnections() {
      for (const server of servers) server.closeIdleConnections();
    },
    /** Closes also the connections that await a request or response. */
    closeAllConnections() {
      for (const server of servers) server.closeAllConnections();
    },
    /** Sets the certificates for new connections. */
    setCertificate(tls: NonNullable<ServerSettings['tls']>) {
      for (const server of servers) if (server instanceof https.Server) server.setSecureContext(tls);
    },
  };
}
export type Servers = ReturnType<typeof createServers>;

function describeClientError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(
      'HEADERS_TOO_LARGE',
      `The headers of the request are larger than ${maxHeaderSize / 1024} KiB.`,
    );
  if (code === 'HPE_INVALID_METHOD')
    return makeRequestError('The method of the request is not known; use GET, POST or another.');
  return makeRequestError('This is not a valid HTTP request.');
}

/** Responds to a request that is not valid HTTP or timed out, and closes the connection. */
export function rejectMalformed({ code }: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // Without TLS no response can be sent, and trying would keep the connection open forever.
  if (code === 'ECONNRESET' || /^ERR_(TLS|SSL)_/.test(code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = describeClientError(code);
  const body = JSON.stringify(makeErrorEnvelope(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ].join('\r\n');
  socket.end(`${head}\r\n\r\n${body}`);
}
