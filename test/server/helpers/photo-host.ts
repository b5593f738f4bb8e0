import { photo } from './backend.ts';
import { listen } from './listen.ts';

/** The host of the photos of all tests of a process, which keeps no process from its end. */
const { url, server } = await listen((request, response) => {
  const name = (request.url ?? '/').slice(1);
  if (name.startsWith('missing')) return response.writeHead(404).end();
  if (name.startsWith('text')) return response.end('hello');
  response.end(photo(`photo ${decodeURIComponent(name)}`));
});
server.unref();

/** The address of a photo: `1920x1080.jpg` is a good one, other names are as the fake checker reads them. */
export const photoUrl = (name: string) => `${url}/${name}`;

/** Addresses of good photos. */
export const good = (count = 4) => Array.from({ length: count }, (_v, i) => photoUrl(`1920x1080-${i}.jpg`));

/** A request of a visual inspection with photos at these addresses. */
export function visualRequest(urls: readonly string[], more: object = {}) {
  return {
    vehicle_id: 'veh_1',
    images: urls.map((url) => ({ url, angle: 'front', type: 'exterior' })),
    ...more,
  };
}
