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
    // Connections of their own: one used again may be busy with what is left of a request that was refused early.
    const options = { method, headers: { ...headers, ...more }, agent: false } as const;
    const forward = request(`${target}${url}`, options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
      answer.pipe(outgoing);
    });
    forward.on('error', () => outgoing.destroy());
    incoming.pipe(forward);
  });
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
