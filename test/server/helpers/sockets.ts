import { connect, type Socket } from 'node:net';
import type { TestService } from './service.ts';

/** Lets a service listen on loopback; returns its port. */
export const listenOn = async ({ app }: TestService) =>
  Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);

/** A connection of a client. */
interface OpenSocket {
  readonly socket: Socket;
  /** All that came until now. */
  answer(): string;
  /** All that came until the other side closed the connection. */
  readonly closed: Promise<string>;
}

/** Reads a connection whose errors are ends. */
export function readSocket(socket: Socket): OpenSocket {
  let text = '';
  const closed = new Promise<string>((done) => {
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => done(text));
  });
  return { socket, answer: () => text, closed };
}

/** Opens a connection and writes to it. */
export function openSocket(port: number, text: string | Buffer): OpenSocket {
  const opened = readSocket(connect(port, '127.0.0.1'));
  opened.socket.write(text);
  return opened;
}
