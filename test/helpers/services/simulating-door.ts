import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PassedRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
}

/**
 * Starts a proxy that adds `X-Vehi-Simulate` with the word `played` gives to every POST, and lists in `seen` what went
 * through.
 */
export function startSimulatingDoor(
  target: string,
  played: () => string,
  seen: PassedRequest[],
): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((incoming: IncomingMessage, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    seen.push({ method, url, authorization: headers.authorization ?? '' });
    const word = method === 'POST' ? played() : '';
    const more = word === '' ? {} : { 'x-vehi-simulate': word };
    // A connection of its own: one that is used again may just have been closed by the service.
    const options = { method, headers: { ...headers, ...more }, agent: false } as const;
    const forward = request(`${target}${url}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // An answer that came before the whole request was read stands, though the rest of the request cannot be sent.
    forward.on('error', () => outgoing.headersSent || outgoing.destroy());
    incoming.pipe(forward);
  });
  // Nor is one to the door closed while a slow client is about to use it again.
  server.keepAliveTimeout = 0;
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      done({ url: `http://127.0.0.1:${port}`, close });
    });
  });
}
