import { createHash } from 'node:crypto';
import { photo } from './programs.ts';
import { type TestService, visualRequest } from './service.ts';

type CallOptions = Partial<Parameters<TestService['call']>[2]>;

/** What a client does with uploads of a service. */
export function createUploader(service: () => TestService) {
  /** Sends a photo in the body of its request. */
  const send = (name: string, more: CallOptions & { bytes?: Buffer } = {}) =>
    service().call('POST', `/v1/uploads?name=${encodeURIComponent(name)}`, {
      payload: more.bytes ?? photo(),
      ...more,
      headers: { 'content-type': 'image/jpeg', ...more.headers },
    });
  return {
    send,
    /** Sends the four photos that an inspection needs. */
    sendFour: (as = service().key) =>
      Promise.all(['front', 'rear', 'left', 'right'].map((name) => send(`${name}.jpg`, { as }))),
    /** Asks for an address that a photo can be sent to without a key. */
    announce: (bytes: Buffer, more: CallOptions = {}) =>
      service().call('POST', '/v1/uploads?name=front.jpg', {
        json: { bytes: bytes.byteLength, sha256: hashSha256(bytes) },
        ...more,
      }),
    /** Sends to the address of an upload, as a client without a key. */
    sendTo: (address: string, bytes: Buffer, headers: Record<string, string> = {}) =>
      service().app.inject({
        method: 'PUT',
        url: address.replace(/^https?:\/\/[^/]+/, ''),
        payload: bytes,
        headers: { 'content-type': 'image/jpeg', ...headers },
      }),
    inspect: (urls: readonly string[], as = service().key) =>
      service().call('POST', '/v1/inspections/visual', { json: visualRequest(urls), as }),
  };
}

/** Returns the SHA-256 of a photo in hexadecimal, as a client announces it. */
export function hashSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
