import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** Serves what `handle` says on a loopback port. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; server: Server; close(): Promise<void> }> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A host of the files of a folder, by their names. */
export function fileHost(folder: string) {
  return listen(({ url = '' }, response) => void response.end(readFileSync(join(folder, basename(url)))));
}

/** What a receiver of webhooks was sent. */
export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver of webhooks. @param answer given the response and what came, of which all is kept; 200 by default */
export async function startReceiver(
  answer: (response: ServerResponse, came: Received) => unknown = (response) => response.end(),
) {
  const received: Received[] = [];
  const host = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    // A sender that is killed never ends its request.
    request.on('end', () => {
      const came = { headers: request.headers as Received['headers'], body };
      received.push(came);
      answer(response, came);
    });
  });
  return { ...host, received };
}
