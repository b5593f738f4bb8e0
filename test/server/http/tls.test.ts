import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../helpers/services/certificate.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { startService, type TestService } from '../helpers/service.ts';

const directory = makeOwnFolder('tls');
let made: boolean;
let service: TestService;
beforeAll(() => {
  made = makeCertificate(directory);
});
afterEach(() => service?.close());

const certificate = () => ({
  cert: readFileSync(join(directory, 'cert.pem')),
  key: readFileSync(join(directory, 'key.pem')),
});

/** Starts a service that gives a request half a second for its header; returns its port. */
async function start(): Promise<number> {
  service = await startService({ tls: certificate(), headersTimeoutMs: 500, keepAliveTimeoutMs: 500 });
  return Number(new URL(await service.app.listen({ host: '127.0.0.1', port: 0 })).port);
}

const open = (port: number) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });

/** Sends one byte after the other; resolves with what came when the service ends the connection. */
function dribble(socket: Socket, text: string): Promise<string> {
  return new Promise((done) => {
    let answer = '';
    let next = 0;
    const timer = setInterval(() => {
      if (next < text.length) socket.write(text[next++] ?? '');
    }, 50);
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      done(answer);
    });
  });
}

describe('time limits hold with TLS as without', () => {
  it('for a header that comes byte by byte', async ({ skip }) => {
    if (!made) return skip('no openssl on this machine');
    const port = await start();
    const answer = await dribble(open(port), `GET /healthz HTTP/1.1\r\nX-Slow: ${'x'.repeat(2_000)}`);
    expect(answer).toMatch(/^HTTP\/1\.1 408[\s\S]*REQUEST_TIMEOUT/);
  });

  it('for a connection that never says a word of TLS, or half a greeting', async ({ skip }) => {
    if (!made) return skip('no openssl on this machine');
    const port = await start();
    for (const greeting of ['', '\x16\x03\x01\x02\x00\x01\x00']) {
      const socket = connect(port, '127.0.0.1');
      const closed = new Promise<void>((done) => socket.on('error', () => done()).on('close', () => done()));
      socket.on('data', () => undefined);
      if (greeting !== '') socket.write(Buffer.from(greeting, 'latin1'));
      await closed;
    }
    const socket = open(port);
    const answered = dribble(socket, '');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1\.1 200/);
  });
});
