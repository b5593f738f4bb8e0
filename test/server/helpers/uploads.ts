import { photo } from './backend.ts';
import type { TestService } from './service.ts';

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
  };
}
