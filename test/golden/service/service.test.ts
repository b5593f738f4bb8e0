import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { makeCertificate } from '../../helpers/services/certificate.ts';
import { type Serving, startServe } from '../../helpers/services/serve.ts';
import { makeOwnHome } from '../../helpers/temporary-folder.ts';

const { directory, env } = makeOwnHome('service');

const serve = (...args: string[]): Promise<Serving> => startServe(args, env);

const get = async (url: string, key?: string) => {
  const answer = await fetch(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });
  return { status: answer.status, body: (await answer.json()) as { data: { environment: string } } };
};

describe('vehi serve --sandbox --ephemeral', () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serve('--sandbox', '--ephemeral', '--allow-private-images', '--log-level', 'info');
  });
  afterAll(async () => {
    if (service) expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('prints one JSON line with address, key and demo photos, and answers', async () => {
    const { address, api_key, demo_photos } = service.line;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await get(`${address}/v1/auth/test`, api_key)).body.data.environment).toBe('sandbox');
    expect(demo_photos.length).toBeGreaterThanOrEqual(4);
    const photo = await fetch(demo_photos[0] ?? '');
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('says at SIGHUP that it has no certificate', async () => {
    service.child.kill('SIGHUP');
    await expect.poll(service.stderr).toContain('SIGHUP: there is no certificate to read again');
  });

  it('names every model that has a say before the analysis as it does after it', async () => {
    const { address, api_key, demo_photos } = service.line;
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    // One photo shows the vehicle, the others need no model.
    const front = demo_photos.find((url) => url.endsWith('/front.jpg')) ?? '';
    const others = demo_photos.filter((url) => url !== front).slice(0, 3);
    const images = [
      { url: front, angle: 'front', type: 'exterior' },
      ...others.map((url) => ({ url, angle: 'interior', type: 'interior' })),
    ];
    const created = await fetch(`${address}/v1/inspections/visual`, {
      method: 'POST',
      headers: { ...headers, prefer: 'respond-async' },
      body: JSON.stringify({ vehicle_id: 'veh_1', images, options: { generate_report: false } }),
    });
    const { data, meta } = (await created.json()) as {
      data: { inspection_id: string };
      meta: { ai_model_version: string };
    };
    expect(created.status).toBe(202);
    const result = async () => {
      const answer = await fetch(`${address}/v1/inspections/visual/${data.inspection_id}`, { headers });
      const { data: now } = (await answer.json()) as {
        data: { status: string; models: { name: string; version: string }[] };
      };
      return [now.status, now.models.map(({ name, version }) => `${name}@${version}`).join('+')];
    };
    await expect
      .poll(result, { timeout: 60_000, interval: 200 })
      .toEqual(['completed', meta.ai_model_version]);
    expect(meta.ai_model_version.split('+').length).toBe(4);
  });
});

describe('vehi serve', () => {
  it('--seed and --now make ids and times repeatable', async () => {
    const answers: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const service = await serve('--sandbox', '--ephemeral', '--seed', '7', '--now', '2026-01-31T12:00:00Z');
      const { address, api_key } = service.line;
      const answer = await fetch(`${address}/v1/inspections/damage-assessment`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          vehicle_id: 'v',
          damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }],
        }),
      });
      const { data, meta } = (await answer.json()) as {
        data: { assessment_id: string; created_at: string };
        meta: object;
      };
      answers.push({ id: data.assessment_id, at: data.created_at, meta });
      await service.stop();
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ at: '2026-01-31T12:00:00.000Z' });
  });

  it.each([
    ['--seed outside the sandbox', ['--seed', '1'], /sandbox/],
    [
      'the same ids in a kept store',
      ['--sandbox', '--seed', '1', '--now', '2026-01-31T12:00:00Z'],
      /Add --ephemeral/,
    ],
    ['half of TLS', ['--tls-cert', 'x'], /belong together/],
    ['no certificate', ['--tls-cert', '/nonexistent', '--tls-key', '/nonexistent'], /cannot read/],
    [
      'what is no certificate',
      ['--tls-cert', 'package.json', '--tls-key', 'package.json'],
      /cannot be used for TLS/,
    ],
    ['no address', ['--base-url', 'nonsense'], /http or https/],
    ['no region', ['--sandbox', '--ephemeral', '--region', 'MARS'], /MARS/],
    ['no currency', ['--sandbox', '--ephemeral', '--currency', 'XXX'], /XXX/],
    [
      'proxies without addresses',
      ['--sandbox', '--ephemeral', '--trust-proxy', 'true'],
      /"true" is not an address of a proxy/,
    ],
    [
      'memory and directory',
      ['--ephemeral', '--data', 'x'],
      /'--ephemeral' cannot be used with option '--data <dir>'/,
    ],
  ])('refuses %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await runInside(['serve', '--port', '0', ...args], { env });
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(message)]);
    expect(code).toBe(2);
  });

  it('refuses a port in use, and a database it cannot read, with a way out', async () => {
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
    const { port } = blocker.address() as { port: number };
    for (const ports of [
      ['--port', `${port}`],
      ['--port', '0', '--metrics-port', `${port}`],
    ]) {
      const taken = await runInside(['serve', '--sandbox', '--ephemeral', ...ports], { env });
      expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining(`127.0.0.1:${port} is in use`)]);
    }
    blocker.close();
    const data = mkdtempSync(join(directory, 'corrupt-'));
    writeFileSync(join(data, 'vehi.db'), 'no database '.repeat(500));
    const corrupt = await runInside(['serve', '--sandbox', '--port', '0', '--data', data], { env });
    expect([corrupt.code, corrupt.stderr]).toEqual([2, expect.stringMatching(/vehi\.db[\s\S]*backup/)]);
  });

  it('data purge removes what is named from under a running service, and nothing else', async () => {
    const data = ['--data', join(directory, 'purged')];
    const service = await serve('--sandbox', ...data);
    const { address, api_key } = service.line;
    const ids: string[] = [];
    for (const vehicle_id of ['veh_gone', 'veh_kept']) {
      const answer = await fetch(`${address}/v1/inspections/damage-assessment`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ vehicle_id, damages: [{ damage_id: 'd', type: 'dent', location: 'hood' }] }),
      });
      ids.push(((await answer.json()) as { data: { assessment_id: string } }).data.assessment_id);
    }
    const purged = await runInside(['admin', 'data', 'purge', '--vehicle', 'veh_gone', '--yes', ...data], {
      env,
    });
    expect([purged.code, purged.stdout]).toEqual([0, `${ids[0]}\n`]);
    const found = await Promise.all(
      ids.map(async (id) => (await get(`${address}/v1/inspections/damage-assessment/${id}`, api_key)).status),
    );
    expect(found).toEqual([404, 200]);
    await service.stop();
  });

  it('leaves a data directory to the service that runs with it, until that is gone, killed or not', async () => {
    const data = ['--data', join(directory, 'shared')];
    const first = await serve('--sandbox', ...data);
    const second = await runInside(['serve', '--sandbox', '--port', '0', ...data], { env });
    expect([second.code, second.stderr]).toEqual([
      2,
      expect.stringContaining('another vehi serve is running'),
    ]);
    const list = await runInside(['admin', 'keys', 'list', ...data], { env });
    expect([list.code, list.stdout]).toEqual([0, expect.stringContaining('made by vehi serve')]);
    first.child.kill('SIGKILL');
    await first.stop();
    const third = await serve('--sandbox', ...data);
    expect((await get(`${third.line.address}/v1/auth/test`, first.line.api_key)).status).toBe(200);
    await third.stop();
    const open = await serve('--sandbox', '--host', '0.0.0.0', ...data);
    // Others can listen in.
    await expect.poll(() => open.stderr()).toContain('without TLS');
    await open.stop();
  });

  it.each([
    ['backup', 'copy-of-nothing.db'],
    ['purge', '--vehicle', 'veh_x', '--yes'],
  ])('admin data %s makes no data directory of a slip', async (...command) => {
    const mistyped = join(directory, 'mistyped');
    const run = await runInside(['admin', 'data', ...command, '--data', mistyped], { env });
    const said = `${mistyped}: there is no service data here`;
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(existsSync(mistyped)).toBe(false);
  });

  it('serves TLS from files, and reads them again at SIGHUP, going on with its work', async ({ skip }) => {
    if (!makeCertificate(directory)) return skip('no openssl on this machine');
    const files = ['--tls-cert', join(directory, 'cert.pem'), '--tls-key', join(directory, 'key.pem')];
    const service = await serve('--sandbox', '--ephemeral', '--log-level', 'info', ...files);
    expect(service.line.address).toMatch(/^https:/);
    const { request } = await import('node:https');
    const ask = () =>
      new Promise<number | undefined>((done, fail) => {
        const ca = readFileSync(join(directory, 'cert.pem'));
        const to = {
          ca,
          servername: 'localhost',
          checkServerIdentity: () => undefined,
          agent: false,
        } as const;
        request(`${service.line.address}/healthz`, to, (answer) => done(answer.resume().statusCode))
          .on('error', fail)
          .end();
      });
    expect(await ask()).toBe(200);
    makeCertificate(directory);
    await expect(ask()).rejects.toThrow(/certificate|signature/);
    service.child.kill('SIGHUP');
    await expect.poll(() => ask().catch(String)).toBe(200);
    await expect.poll(service.stderr).toContain('the certificate was read again');
    writeFileSync(join(directory, 'cert.pem'), 'no certificate');
    service.child.kill('SIGHUP');
    await expect.poll(() => service.stderr()).toContain('the certificate cannot be used; the old one stays');
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});
