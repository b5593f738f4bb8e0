import { request } from 'node:http';

/** Sends a request past the browser, with any headers and a path as it stands. @param link of the same host and port */
export function ask(
  link: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(link);
    const sent = request(
      { hostname, port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          body += piece;
        });
        answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      },
    );
    sent.on('error', fail);
    sent.end(options.body);
  });
}
