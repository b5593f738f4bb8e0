import { beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, type TestService, visualRequest } from '../helpers/service.ts';
import type { Running } from './running.ts';

let service: TestService;

/** Describes photos sent in the request itself. */
export function describeMultipart(running: () => Running): void {
  beforeAll(() => {
    ({ service } = running());
  });

  describe('multipart', () => {
    it('takes uploads in a multipart body', async () => {
      const boundary = 'xyz';
      const file = (name: string, text: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="photos"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n${text}\r\n`;
      const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
      const send = (request: object, text = 'photo 1920x1080') =>
        service.call('POST', '/v1/inspections/visual', {
          headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
          payload: `--${boundary}\r\nContent-Disposition: form-data; name="request"\r\n\r\n${JSON.stringify(request)}\r\n${names
            .map((name) => file(name, text))
            .join('')}--${boundary}--\r\n`,
        });
      const ok = await send(visualRequest(names));
      expect(ok.status).toBe(201);
      expect(ok.body.data.results.damages[0].image_url).toBe('a.jpg');
      const absent = await send(visualRequest([...names.slice(1), 'z.jpg']));
      expect([absent.status, absent.body.error.field]).toEqual([422, 'images[3].url']);
      expect((await send(visualRequest(names.slice(1)))).body.error.code).toBe('INSUFFICIENT_IMAGES');
      const { error } = (await send(visualRequest(names), `photo${'x'.repeat(12 * 1024 * 1024)}`)).body;
      expect([error.code, error.details.found]).toEqual(['IMAGE_TOO_LARGE', 'more than 10 MB']);
    });
  });

  describe('multipart as clients and the document have it', () => {
    const names = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
    const send = (requestHeaders: string, request: string, files = names) => {
      const file = (name: string) =>
        `--xyz\r\nContent-Disposition: form-data; name="photos"; filename="${name}"\r\n\r\nphoto 1920x1080\r\n`;
      return service.call('POST', '/v1/inspections/visual', {
        headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
        payload: `--xyz\r\nContent-Disposition: form-data; name="request"${requestHeaders}\r\n\r\n${request}\r\n${files.map(file).join('')}--xyz--\r\n`,
      });
    };

    it.each([
      ['a type', '\r\nContent-Type: application/json'],
      ['a file name', '; filename="blob"'],
      ['both', '; filename="request.json"\r\nContent-Type: application/json; charset=utf-8'],
      ['neither', ''],
    ])('takes the part request with %s', async (_name, headers) => {
      const answer = await send(headers, JSON.stringify(visualRequest(names)));
      expect([answer.status, answer.body.data.images.length]).toEqual([201, 4]);
    });

    it('refuses JSON in it that would be refused as a body', async () => {
      const typed = '\r\nContent-Type: application/json';
      for (const hostile of ['{"a":', '{"__proto__":{}}'])
        expect((await send(typed, hostile)).body.error.code).toBe('INVALID_JSON');
    });

    it('refuses a second part request, which would replace the first', async () => {
      const json = JSON.stringify(visualRequest(names));
      const second = `\r\n--xyz\r\nContent-Disposition: form-data; name="request"\r\n\r\n${json}`;
      expect(refusalOf(await send('', json + second))).toEqual([400, 'INVALID_REQUEST', 'request']);
    });

    it('finds photos by names with folders or a colon, in which alone two may differ, and by quotes sent as %22', async () => {
      const apart = [
        ...['in/front.jpg', 'out/front.jpg', '../rear.jpg', 'C:\\\\photos\\\\left.jpg', 'a%22b.jpg'],
        'upload:x.jpg',
      ];
      const urls = apart.map((name) => name.replaceAll('\\\\', '\\').replace('%22', '"'));
      const { status, body } = await send('', JSON.stringify(visualRequest(urls)), apart);
      expect([status, body.data.images.map(({ url }: { url: string }) => url)]).toEqual([201, urls]);
    });

    it('names the field when there are 51 files', async () => {
      const many = Array.from({ length: 51 }, (_v, i) => `${i}.jpg`);
      const answer = await send('', JSON.stringify(visualRequest(names)), many);
      expect(refusalOf(answer)).toEqual([400, 'TOO_MANY_IMAGES', 'images']);
    });
  });
}
