import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does with a request instead of passing it on. */
export type Fault =
  /** Closes the connection at once. */
  | 'cut'
  /** Sends half of the answer's body, then closes. */
  | 'half'
  /** Never answers. */
  | 'hang'
  /** Answers 503 as a store does that has too much to do. */
  | 'busy';

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>;

/**
 * Starts a proxy before the HTTP server at an address, which goes wrong as it is asked to. The Host that was signed is
 * passed on as it came.
 */
export async function startFaultyProxy(target: string) {
  const { hostname, port } = new URL(target);
  const seen: string[] = [];
  let queue: Fault[] = [];
  let always: { fault: Fault; path: RegExp } | undefined;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, half: boolean): void {
    const { method, url: path, headers } = incoming;
    const asked = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!half) return void answer.pipe(outgoing);
      outgoing.flushHeaders();
      answer.once('data', (chunk: Buffer) => {
        outgoing.write(chunk.subarray(0, Math.floor(chunk.length / 2)), () => incoming.socket.destroy());
      });
    });
    asked.on('error', () => incoming.socket.destroy());
    incoming.pipe(asked);
  }

  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const fault = always?.path.test(incoming.url ?? '') ? always.fault : queue.shift();
    if (fault === 'cut') return void incoming.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'busy') {
      incoming.resume();
      const body = '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Too much</Message></Error>';
      return void outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(body);
    }
    pass(incoming, outgoing, fault === 'half');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests that came, `METHOD path`. */
    seen,
    /** The next requests meet these faults, one each. */
    fail(...faults: readonly Fault[]) {
      queue = [...faults];
    },
    /** All requests do whose path fits, until `heal`. */
    failAlways(fault: Fault, path = /./) {
      always = { fault, path };
    },
    heal() {
      always = undefined;
      queue = [];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
