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
  const headers = { 'content-type': 'application/json', ...(simulate ? { [SIMULATE]: simulate } : {}) };
  const answer = await send({ method: 'post', path, headers, body: JSON.stringify(body) });
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

const HOOK = { url: 'http://127.0.0.1:9/hook' };
const ASSESSMENTS = '/v1/inspections/damage-assessment';

/** Makes what a path parameter names, and returns it. */
export const THINGS: Readonly<Record<string, (turn: number) => Promise<Record<string, string>>>> = {
  inspection_id: (turn) =>
    made(VISUAL, { vehicle_id: 'v', images: photos() }, turn % 2 === 0 ? 'processing' : 'failed'),
  assessment_id: () => made(ASSESSMENTS, { vehicle_id: 'v', damages: DAMAGES }),
  webhook_id: () => made('/v1/webhooks', HOOK),
  key_id: () => made('/v1/keys', { permissions: ['inspections:read'] }),
  reviewed_id() {
    const options = { generate_report: false, detailed_analysis: true };
    return made(VISUAL, { vehicle_id: 'v', images: photos(), options });
  },
  async upload_id() {
    const photo = { method: 'post', path: '/v1/uploads', headers: JPEG, body: await demoPhoto() };
    return (JSON.parse((await send(photo)).text) as Body).data;
  },
  async message_id() {
    const { webhook_id = '' } = await made('/v1/webhooks', HOOK);
    await made(ASSESSMENTS, { vehicle_id: 'v', damages: DAMAGES });
    const [delivery] = await list(`webhooks/${webhook_id}/deliveries`, 'deliveries');
    return { webhook_id, message_id: delivery?.message_id ?? '' };
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
  if (['createKey', 'rotateKey', 'revokeKey'].includes(operationId)) await removeOthers('keys', 'key_id');
  if (['createWebhook', 'deleteWebhook'].includes(operationId)) await removeOthers('webhooks', 'webhook_id');
}

async function removeOthers(name: 'keys' | 'webhooks', idName: string): Promise<void> {
  const needed = new Set((await Promise.all(kept.values())).map((ids) => ids[idName]));
  const isOwn = ({ hint }: Record<string, string>) =>
    hint !== undefined && service.line.api_key.endsWith(hint.split('…')[1] ?? '');
  const others = (await list(name, name)).filter((one) => !needed.has(one[idName]) && !isOwn(one));
  for (const { [idName]: id } of others)
    await send({ method: 'delete', path: `/v1/${name}/${id}`, headers: {} });
}

async function list(path: string, name: string): Promise<Record<string, string>[]> {
  const { text } = await send({ method: 'get', path: `/v1/${path}`, headers: {} });
  return (JSON.parse(text) as { data: Record<string, Record<string, string>[]> }).data[name] ?? [];
}
