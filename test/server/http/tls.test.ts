import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect, it } from 'vitest';
import { makeCertificate } from '../../helpers/services/certificate.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';
import { openService } from '../helpers/service.ts';
import { listenOn, openSocket, readSocket } from '../helpers/sockets.ts';

const directory = makeOwnFolder('tls');
const made = makeCertificate(directory);

it.skipIf(!made)(
  'a connection that never says a word of TLS, or half a greeting, is closed (skipped without openssl)',
  async () => {
    const read = (name: string) => readFileSync(join(directory, name));
    const tls = { cert: read('cert.pem'), key: read('key.pem') };
    const port = await listenOn(await openService({ tls, headersTimeoutMs: 500 }));
    for (const greeting of ['', '\x16\x03\x01\x02\x00\x01\x00']) {
      await openSocket(port, Buffer.from(greeting, 'latin1')).closed;
    }
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await readSocket(socket).closed).toMatch(/^HTTP\/1\.1 200/);
  },
);
