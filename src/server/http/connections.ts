import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { ServerSettings } from '../server-settings.ts';

/** Unanswered requests on one connection above which it is cut. No browser and no common client pipelines at all. */
const MAX_PIPELINED = 32;
/** Maximum duration of a TLS handshake in milliseconds. */
const MAX_HANDSHAKE_MS = 10_000;
const CHECK_INTERVAL_MS = 2_000;

const formatPeer = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

/** Open connections of the service and their unanswered requests. */
export interface Connections {
  /** Creates a server for Fastify. */
  createServer(handler: RequestListener): Server;
  /** Closes idle connections; with `all`, also those awaiting a response. */
  closeConnections(includeBusy: boolean): void;
  /** Number of requests awaiting a response. */
  countUnanswered(): number;
  /** Sets the certificates for new connections. */
  setCertificate(tls: NonNullable<ServerSettings['tls']>): void;
}

/**
 * Creates HTTP or HTTPS servers with common timeouts. They count the unanswered requests per connection and cut off a
 * client that pipelines too many, which may arrive in one packet.
 */
export function createConnections(settings: ServerSettings): Connections {
  const unansweredCounts = new Map<Socket, number>();
  /** Connections in a TLS handshake, by peer address. */
  const handshakes = new Map<string, Socket>();
  const servers = new Set<Server>();
  const options = {
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // `registerAddressChecks` rejects it in the envelope instead.
    requireHostHeader: false,
  };

  const limitPipelining =
    (handler: RequestListener): RequestListener =>
    (request: IncomingMessage, response: ServerResponse & { req: IncomingMessage }) => {
      const { socket } = request;
      const unanswered = (unansweredCounts.get(socket) ?? 0) + 1;
      if (socket.destroyed) return;
      if (unanswered > MAX_PIPELINED) {
        socket.destroy();
        return;
      }
      unansweredCounts.set(socket, unanswered);
      response.once('close', () => {
        const remaining = unansweredCounts.get(socket);
        if (remaining !== undefined) unansweredCounts.set(socket, remaining - 1);
      });
      handler(request, response);
    };

  return {
    createServer(handler) {
      const server: Server = settings.tls
        ? https.createServer(
            {
              ...options,
              ...settings.tls,
              handshakeTimeout: Math.min(MAX_HANDSHAKE_MS, settings.headersTimeoutMs),
            },
            limitPipelining(handler),
          )
        : http.createServer(options, limitPipelining(handler));
      servers.add(server);
      server.maxConnections = settings.maxConnections;
      // Node's own response has no body; the handler responds in the envelope.
      server.on('checkExpectation', limitPipelining(handler));
      server.on('connection', settings.tls ? trackHandshake : trackSocket);
      server.on('secureConnection', (socket: Socket) => {
        handshakes.delete(formatPeer(socket));
        trackSocket(socket);
      });
      return server;
    },
    closeConnections(includeBusy) {
      for (const socket of handshakes.values()) socket.destroy();
      for (const [socket, unanswered] of unansweredCounts)
        if (includeBusy || unanswered === 0) socket.destroy();
    },
    countUnanswered: () => [...unansweredCounts.values()].reduce((sum, count) => sum + count, 0),
    setCertificate(tls) {
      for (const server of servers) if (server instanceof https.Server) server.setSecureContext(tls);
    },
  };

  function trackHandshake(socket: Socket): void {
    const peer = formatPeer(socket);
    handshakes.set(peer, socket);
    socket.once('close', () => handshakes.delete(peer));
  }

  function trackSocket(socket: Socket): void {
    unansweredCounts.set(socket, 0);
    socket.once('close', () => unansweredCounts.delete(socket));
  }
}
