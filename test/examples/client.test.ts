import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';

const SERVE = ['serve', '--sandbox', '--ephemeral', '--port', '0', '--allow-private-images'];

test('photos are inspected and the signed event arrives', async () => {
  // The service says where it is and with which key, in one line of JSON, once it answers.
  const vehi = spawn(process.env.VEHI_BIN ?? 'vehi', SERVE, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(vehi.stdout), 'line');
  const { address, api_key, demo_photos } = JSON.parse(line);

  // What your own receiver of events would be.
  const events: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    events.push({ headers: request.headers as Record<string, string>, body });
    response.end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;

  const post = async (path: string, body: object, headers = {}) => {
    const answer = await fetch(`${address}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the shapes are in /v1/openapi.json; types can be made from it.
    return { status: answer.status, body: (await answer.json()) as any };
  };

  try {
    const { body: webhook } = await post('/webhooks', { url: `http://127.0.0.1:${port}/events` });
    const images = ['front', 'rear', 'left_side', 'right_side'].map((angle) => ({
      url: demo_photos.find((url: string) => url.endsWith(`/${angle}.jpg`)),
      angle,
      type: 'exterior',
    }));
    const request = { vehicle_id: 'veh_4711', images };
    const { status, body: inspection } = await post('/inspections/visual', request);
    expect([status, inspection.data.status]).toEqual([201, 'completed']);

    await expect.poll(() => events.length, { timeout: 10_000 }).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = events;
    const event = new Webhook(webhook.data.secret).verify(body, headers);
    expect(event).toMatchObject({
      event: 'visual_inspection.completed',
      data: {
        inspection_id: inspection.data.inspection_id,
        damages_detected: inspection.data.results.damages.length,
      },
    });

    // What a client does when the service is busy can be tried without making it so.
    const busy = await post('/inspections/visual', request, { 'x-vehi-simulate': 'SERVICE_UNAVAILABLE' });
    expect([busy.status, busy.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  } finally {
    vehi.kill();
    receiver.close();
  }
}, 120_000);
