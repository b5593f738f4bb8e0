import { main } from '../../src/cli/main.ts';
import { startInside } from '../helpers/cli/start-inside.ts';
import type { Answer, Operation, Sent } from './document.ts';

const SERVE = 'serve --port 0 --sandbox --ephemeral --allow-private-images --queue 100000';
/** The service under test, started when this module is loaded; the one test file that loads it stops it. */
export const service = await startInside(SERVE.split(' '), {}, main);

export type Body = Record<string, unknown> & { data: Record<string, string> };
export const SIMULATE = 'x-vehi-simulate';

export async function send({ method, path, headers, body }: Sent): Promise<Answer> {
  const answer = await fetch(`${service.line.address}${path}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${service.line.api_key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
}

export async function made(path: string, body: unknown, simulate?: string): Promise<Record<string, string>> {
  const answer = await send({
    method: 'post',
    path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(simulate ? { [SIMULATE]: simulate } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as Body).data;
}

/** Four photos of which one shows damage; models see that one alone. */
export const photos = () => {
  const seen = service.line.demo_photos.filter((url) => url.endsWith('/rear.jpg'));
  const others = service.line.demo_photos.filter((url) => !seen.includes(url)).slice(0, 3);
  return [
    ...seen.map((url) => ({ url, angle: 'rear', type: 'exterior' })),
    ...others.map((url) => ({ url, angle: 'interior', type: 'interior' })),
  ];
};
export const JPEG = { 'content-type': 'image/jpeg' };
export const demoPhoto = async () =>
  new Uint8Array(await (await fetch(service.line.demo_photos[0] ?? '')).arrayBuffer());
export const VISUAL = '/v1/inspections/visual';
export const DAMAGES = [{ damage_id: 'd1', type: 'dent', location: 'hood' }];

/** Makes what a path parameter names. */
export const THINGS: Readonly<Record<string, (turn: number) => Promise<Record<string, string>>>> = {
  async inspection_id(turn) {
    const { inspection_id = '' } = await made(
      VISUAL,
      { vehicle_id: 'v', images: photos() },
      turn % 2 === 0 ? 'processing' : 'failed',
    );
    return { inspection_id };
  },
  async assessment_id() {
    const { assessment_id = '' } = await made('/v1/inspections/damage-assessment', {
      vehicle_id: 'v',
      damages: DAMAGES,
    });
    return { assessment_id };
  },
  async webhook_id() {
    const { webhook_id = '' } = await made('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    return { webhook_id };
  },
  async key_id() {
    const { key_id = '' } = await made('/v1/keys', { permissions: ['inspections:read'] });
    return { key_id };
  },
  async reviewed_id() {
    const options = { generate_report: false, detailed_analysis: true };
    const { inspection_id = '' } = await made(VISUAL, { vehicle_id: 'v', images: photos(), options });
    return { inspection_id };
  },
  async upload_id() {
    const answer = await send({
      method: 'post',
      path: '/v1/uploads',
      headers: JPEG,
      body: await demoPhoto(),
    });
    const { upload_id = '' } = (JSON.parse(answer.text) as Body).data;
    return { upload_id };
  },
  async message_id() {
    const { webhook_id = '' } = await made('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    await made('/v1/inspections/damage-assessment', { vehicle_id: 'v', damages: DAMAGES });
    const log = { method: 'get', path: `/v1/webhooks/${webhook_id}/deliveries`, headers: {} };
    const { deliveries } = (JSON.parse((await send(log)).text) as { data: { deliveries: Body['data'][] } })
      .data;
    return { webhook_id, message_id: deliveries[0]?.message_id ?? '' };
  },
};

const kept = new Map<string, Promise<Record<string, string>>>();
export function listIds(name: string, turn: number): Promise<Record<string, string>> {
  const key = `${name} ${turn % 2}`;
  const ids = kept.get(key) ?? THINGS[name]?.(turn) ?? Promise.resolve({});
  kept.set(key, ids);
  return ids;
}

/** The ids in an address; what an operation deletes or replaces is made for it, everything else is made once. */
export async function findIds(
  { method, operationId, parameters, path }: Operation,
  turn: number,
): Promise<Record<string, string>> {
  // What is reviewed has been analyzed.
  if (path.includes('/review')) return listIds('reviewed_id', 0);
  const last = parameters?.filter((one) => one.in === 'path').at(-1)?.name;
  if (last === undefined) return {};
  const isUsedUp = method === 'delete' || operationId === 'rotateKey';
  return isUsedUp ? (THINGS[last]?.(turn) ?? {}) : listIds(last, turn);
}

/** An account has few webhooks and keys: those that stand in no address to come go again. */
export async function removeMade({ operationId }: Operation): Promise<void> {
  if (['createKey', 'rotateKey', 'revokeKey'].includes(operationId)) await tidyKeys();
  if (!['createWebhook', 'deleteWebhook'].includes(operationId)) return;
  const all = await send({ method: 'get', path: '/v1/webhooks', headers: {} });
  const { webhooks } = (JSON.parse(all.text) as { data: { webhooks: { webhook_id: string }[] } }).data;
  const needed = new Set((await Promise.all(kept.values())).map((ids) => ids.webhook_id));
  for (const { webhook_id } of webhooks.filter((one) => !needed.has(one.webhook_id)))
    await send({ method: 'delete', path: `/v1/webhooks/${webhook_id}`, headers: {} });
}

async function tidyKeys(): Promise<void> {
  const all = await send({ method: 'get', path: '/v1/keys', headers: {} });
  const { keys } = (JSON.parse(all.text) as { data: { keys: Record<string, string>[] } }).data;
  const needed = new Set((await Promise.all(kept.values())).map((ids) => ids.key_id));
  const others = keys.filter(({ key_id, hint = '', status }) => {
    const own = service.line.api_key.endsWith(hint.split('…')[1] ?? '');
    return status === 'valid' && !own && !needed.has(key_id ?? '');
  });
  for (const { key_id } of others) await send({ method: 'delete', path: `/v1/keys/${key_id}`, headers: {} });
}
