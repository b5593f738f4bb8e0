import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { get as getOverTls } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURES } from '../../helpers/cli/run-cli.ts';
import { runInside } from '../../helpers/cli/run-inside.ts';
import { serveInside } from '../../helpers/cli/start-inside.ts';
import { makeCertificate } from '../../helpers/services/certificate.ts';
import { type ServeLine, type Serving, startServe } from '../../helpers/services/serve.ts';
import { makeOwnHome } from '../../helpers/temporary-folder.ts';

const { directory, env } = makeOwnHome('service');
const MODELS = ['--models', join(FIXTURES, 'models')];
const INSPECTIONS = '/v1/inspections/visual';
const ASSESSMENTS = '/v1/inspections/damage-assessment';
const DENT = [{ damage_id: 'd', type: 'dent', location: 'hood' }];

/** Sends a request with the key of a service: a POST where there is a body. */
async function ask({ address, api_key }: Omit<ServeLine, 'demo_photos'>, path: string, body?: object) {
  const headers = { authorization: `Bearer ${api_key}`, prefer: 'respond-async' };
  const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
  const request = body ? { ...post, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(`${address}${path}`, request);
  const { data, meta } = (await answer.json()) as { data: Record<string, string>; meta: object };
  return { status: answer.status, data, meta };
}

describe('vehi serve --sandbox --ephemeral', () => {
  let service: Serving;
  beforeAll(async () => {
    const words = ['--sandbox', '--ephemeral', '--allow-private-images', '--log-level', 'info', ...MODELS];
    service = await startServe(words, env);
  });
  afterAll(async () => {
    if (service) expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('prints one JSON line with address, key and demo photos, and answers', async () => {
    const { address, demo_photos } = service.line;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await ask(service.line, '/v1/auth/test')).data.environment).toBe('sandbox');
    expect(demo_photos.length).toBeGreaterThanOrEqual(4);
    const photo = await fetch(demo_photos[0] ?? '');
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('says at SIGHUP that it has no certificate', async () => {
    service.child.kill('SIGHUP');
    await expect.poll(service.stderr).toContain('SIGHUP: there is no certificate to read again');
  });

  it('names the models before the analysis as it does after it', async () => {
    const images = service.line.demo_photos
      .slice(0, 4)
      .map((url) => ({ url, angle: 'front', type: 'exterior' }));
    const created = await ask(service.line, INSPECTIONS, { vehicle_id: 'veh_1', images });
    const version = 'tiny-colors@0.0.1+tiny-panels@0.0.1';
    expect(created).toMatchObject({ status: 202, meta: { ai_model_version: version } });
    const found = () => ask(service.line, `${INSPECTIONS}/${created.data.inspection_id}`);
    // The models of the fixtures see no vehicle in these photos.
    await expect.poll(async () => (await found()).data.status).toBe('failed');
    const models = [{ name: 'tiny-colors' }, { name: 'tiny-panels' }];
    expect((await found()).data).toMatchObject({ models });
  });
});

describe('vehi serve', () => {
  it('--seed and --now make ids and times repeatable', async () => {
    const answers: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const words = '--sandbox --ephemeral --seed 7 --now 2026-01-31T12:00:00Z';
      const service = await serveInside(words.split(' '), env);
      const { data, meta } = await ask(service.line, ASSESSMENTS, { vehicle_id: 'v', damages: DENT });
      answers.push({ id: data.assessment_id, at: data.created_at, meta });
      await service.stop();
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ at: '2026-01-31T12:00:00.000Z' });
  });

  it.each([
    ['--seed 1', /sandbox/],
    ['--sandbox --seed 1 --now 2026-01-31T12:00:00Z', /Add --ephemeral/],
    ['--tls-cert x', /belong together/],
    ['--tls-cert /nonexistent --tls-key /nonexistent', /cannot read/],
    ['--tls-cert package.json --tls-key package.json', /cannot be used for TLS/],
    ['--base-url nonsense', /http or https/],
    ['--ephemeral --data x', /'--ephemeral' cannot be used with option '--data <dir>'/],
  ])('refuses %s', async (words, message) => {
    const run = await runInside(['serve', '--port', '0', ...words.split(' ')], { env });
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('refuses a port in use, and a database it cannot read, with a way out', async () => {
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
    const { port } = blocker.address() as { port: number };
    const data = mkdtempSync(join(directory, 'corrupt-'));
    writeFileSync(join(data, 'vehi.db'), 'no database '.repeat(500));
    for (const [words, said] of [
      [`--ephemeral --port ${port}`, /:\d+ is in use\.\n {2}Choose another --port\./],
      [`--ephemeral --port 0 --metrics-port ${port}`, /:\d+ is in use\.\n {2}Choose another --metrics-port/],
      [`--port 0 --data ${data}`, /vehi\.db[\s\S]*backup/],
    ] as const) {
      const refused = await runInside(['serve', '--sandbox', ...words.split(' ')], { env });
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(said)]);
    }
    blocker.close();
  });

  it('data purge removes what is named from under a running service, and nothing else', async () => {
    const data = ['--data', join(directory, 'purged')];
    const service = await serveInside(['--sandbox', ...data], env);
    const ids: string[] = [];
    for (const vehicle_id of ['veh_gone', 'veh_kept']) {
      const { data } = await ask(service.line, ASSESSMENTS, { vehicle_id, damages: DENT });
      ids.push(data.assessment_id ?? '');
    }
    const purge = ['admin', 'data', 'purge', '--vehicle', 'veh_gone', '--yes', ...data];
    expect(await runInside(purge, { env })).toMatchObject({ code: 0, stdout: `${ids[0]}\n` });
    const found = ids.map(async (id) => (await ask(service.line, `${ASSESSMENTS}/${id}`)).status);
    expect(await Promise.all(found)).toEqual([404, 200]);
    await service.stop();
  });

  it('leaves a data directory to the service that runs with it, until that is gone, killed or not', async () => {
    const data = ['--data', join(directory, 'shared')];
    const first = await startServe(['--sandbox', ...data], env);
    const second = await runInside(['serve', '--sandbox', '--port', '0', ...data], { env });
    const said = expect.stringContaining('another vehi serve is running');
    expect(second).toMatchObject({ code: 2, stderr: said });
    const list = await runInside(['admin', 'keys', 'list', ...data], { env });
    expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('made by vehi serve') });
    first.child.kill('SIGKILL');
    await first.stop();
    const third = await serveInside(['--sandbox', ...data], env);
    const { address } = third.line;
    expect((await ask({ address, api_key: first.line.api_key }, '/v1/auth/test')).status).toBe(200);
    await third.stop();
    const open = await serveInside(['--sandbox', '--host', '0.0.0.0', ...data], env);
    // Others can listen in.
    expect((await open.stop()).stderr).toContain('without TLS');
  });

  it('serves TLS from files, and reads them again at SIGHUP, going on with its work', async ({ skip }) => {
    if (!makeCertificate(directory)) return skip('no openssl on this machine');
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    const words = ['--sandbox', '--ephemeral', '--log-level', 'info', '--tls-cert', cert, '--tls-key', key];
    const service = await startServe(words, env);
    expect(service.line.address).toMatch(/^https:/);
    const askHealth = () =>
      new Promise<number | undefined>((done, fail) => {
        const trust = { ca: readFileSync(cert), checkServerIdentity: () => undefined, agent: false } as const;
        getOverTls(`${service.line.address}/healthz`, trust, (one) => done(one.resume().statusCode)).on(
          'error',
          fail,
        );
      });
    expect(await askHealth()).toBe(200);
    makeCertificate(directory);
    await expect(askHealth()).rejects.toThrow(/certificate|signature/);
    service.child.kill('SIGHUP');
    await expect.poll(() => askHealth().catch(String)).toBe(200);
    await expect.poll(service.stderr).toContain('the certificate was read again');
    writeFileSync(cert, 'no certificate');
    service.child.kill('SIGHUP');
    await expect.poll(service.stderr).toContain('the certificate cannot be used; the old one stays');
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });
});
