import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../helpers/cli/run-cli.ts';
import { clusterMissing } from './cluster.ts';

const VISUAL = '/v1/inspections/visual';
/** Not made yet: as root, its PostgreSQL is of another user, who must be able to reach it. */
const directory = join(tmpdir(), `vehi-try-${process.pid}`);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
const isRedis = (pid: number) => commandOf(pid).includes('redis-server');

/** Returns the processes that a process has started, vehi's own and the servers. */
function childrenOf(pid: number | undefined): { vehi: number[]; servers: number[] } {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const isVehi = (one: number) => commandOf(one).includes('vehi.js');
  return { vehi: pids.filter(isVehi), servers: pids.filter((one) => !isVehi(one)) };
}

/** Starts the built `vehi cluster` in the folder and waits for its line. */
async function start() {
  const args = ['cluster', '--data', directory, '--work', '1', '--port', '0', '--json'];
  const child = spawn(process.execPath, [resolve(ROOT, 'bin/vehi.js'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close');
  const early = ended.then(([code]) => {
    throw new Error(`ended with ${code}: ${stderr}`);
  });
  const line = await Promise.race([once(child.stdout, 'data'), early]);
  early.catch(() => undefined);
  const { address, api_key: key } = JSON.parse(String(line));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
  const ask = async (path: string, body?: object): Promise<any> => {
    const more = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${address}${path}`, { headers, ...more })).json();
  };
  return { child, ended, key, address, ask, stderr: () => stderr };
}

it.skipIf(clusterMissing)(
  'vehi cluster inspects photos, goes on after a kill with what it kept, and ends all that it started',
  async () => {
    const first = await start();
    // One photo shows the vehicle, the others need no model.
    const images = ['front', 'rear', 'left_side', 'right_side'].map((name) => ({
      url: `${first.address}/demo/photos/${name}.jpg`,
      ...(name === 'front' ? { angle: 'front', type: 'exterior' } : { angle: 'interior', type: 'interior' }),
    }));
    const made = await first.ask(VISUAL, {
      vehicle_id: 'veh_1',
      images,
      options: { generate_report: false },
    });
    const id = made.data.inspection_id;
    const statusIn = async ({ ask }: Pick<typeof first, 'ask'>) =>
      (await ask(`${VISUAL}/${id}`)).data?.status;
    await expect.poll(() => statusIn(first), { timeout: 120_000, interval: 200 }).toBe('completed');

    // Its PostgreSQL is left running, as after a crash of the machine's session; its Redis is gone with it.
    const { vehi, servers } = childrenOf(first.child.pid);
    expect([vehi.length, servers.length]).toEqual([2, 2]);
    for (const pid of servers.filter(isRedis)) process.kill(pid, 'SIGKILL');
    first.child.kill('SIGKILL');
    await first.ended;
    const left = () => vehi.filter((pid) => existsSync(`/proc/${pid}`));
    await expect.poll(left, { timeout: 100_000, interval: 200 }).toEqual([]);
    const second = await start();
    expect(second.key).toBe(first.key);
    expect(await statusIn(second)).toBe('completed');

    second.child.kill('SIGTERM');
    expect((await second.ended)[0]).toBe(0);
    expect(second.stderr()).toContain('the same command continues');
    for (const left of ['run/.s.PGSQL.5432', 'run/redis.sock', 'postgres/data/postmaster.pid'])
      expect(existsSync(join(directory, left)), left).toBe(false);
  },
  300_000,
);
