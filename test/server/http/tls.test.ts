import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../helpers/services/certificate.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { openService } from '../helpers/service.ts';
import { listenOn, openSocket, readSocket } from '../helpers/sockets.ts';

const directory = makeOwnFolder('tls');
const made = makeCertificate(directory);

/** Starts a service that gives a request half a second for its header; returns its port. */
async function start(): Promise<number> {
  const read = (name: string) => readFileSync(join(directory, name));
  const tls = { cert: read('cert.pem'), key: read('key.pem') };
  return listenOn(await openService({ tls, headersTimeoutMs: 500, keepAliveTimeoutMs: 500 }));
}

const open = (port: number) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });

/** Sends one byte after the other; resolves with what came when the service ends the connection. */
function dribble(socket: Socket, text: string): Promise<string> {
  let next = 0;
  const timer = setInterval(() => {
    if (next < text.length) socket.write(text[next++] ?? '');
  }, 50);
  return readSocket(socket).closed.finally(() => clearInterval(timer));
}

describe.skipIf(!made)('time limits hold with TLS as without (skipped without openssl)', () => {
  it('for a header that comes byte by byte', async () => {
    const port = await start();
    const answer = await dribble(open(port), `GET /healthz HTTP/1.1\r\nX-Slow: ${'x'.repeat(2_000)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 408[\s\S]*REQUEST_TIMEOUT/);
  });

  it('for a connection that never says a word of TLS, or half a greeting', async () => {
    const port = await start();
    for (const greeting of ['', '\x16\x03\x01\x02\x00\x01\x00']) {
      await openSocket(port, Buffer.from(greeting, 'latin1')).closed;
    }
    const socket = open(port);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await readSocket(socket).closed).toMatch(/^HTTP\/1\.1 200/);
  });
});
