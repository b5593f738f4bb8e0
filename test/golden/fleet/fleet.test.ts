import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { runInside as runBuilt } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

const NOW = ['--now', '2026-01-31T12:00:00Z'];
const dir = makeOwnFolder('fleet');
const [front, rear] = [join(dir, 'front.jpg'), join(dir, 'rear.jpg')];
/** Which models look is not what a fleet is about. */
const TINY = { VEHI_MODEL_DIR: TINY_MODELS };
const runInside: typeof runBuilt = (args, options) =>
  runBuilt(args, { ...options, env: { ...TINY, ...options?.env } });

beforeAll(async () => {
  await writeDrawnCar(front);
  await writeDrawnCar(rear, 9);
  for (const car of ['car_1', 'car_2', 'car_10']) {
    mkdirSync(join(dir, 'fleet', car), { recursive: true });
    copyFileSync(front, join(dir, 'fleet', car, 'front.jpg'));
  }
});

const jsonOf = (...path: string[]) => JSON.parse(readFileSync(join(dir, ...path), 'utf8'));

/** Vehicles that take far longer together than a signal does to arrive. */
const MANY = 20;

describe('vehi inspect of many vehicles', () => {
  test('names the photos that lie in no folder of a vehicle; only a folder without photos is of outputs alone', async () => {
    for (const car of ['car', 'car_with_output']) {
      mkdirSync(join(dir, 'strays', car), { recursive: true });
      copyFileSync(front, join(dir, 'strays', car, 'front.jpg'));
    }
    mkdirSync(join(dir, 'strays', 'results'));
    for (const name of ['left.MPO', 'rear', '.hidden.jpg']) copyFileSync(front, join(dir, 'strays', name));
    writeFileSync(join(dir, 'strays', 'notes.txt'), 'no photo');
    const args = ['inspect', '--many', 'strays', '-o', 'strays/results', '-o', 'csv=strays/car_with_output'];
    const { stdout, stderr, code } = await runInside([...args, ...NOW], { cwd: dir });
    expect(stdout).toContain('2 vehicles: 2 completed');
    expect(stderr).toContain(
      "vehi: not inspected, because they are in no vehicle's folder: left.MPO, rear\n",
    );
    expect(code).toBe(0);
  });

  test('a result per sub-folder, a summary, and --resume does again only what changed', async () => {
    const args = ['inspect', '--many', 'fleet', '--resume', '-o', 'out', ...NOW];
    const first = await runInside(args, { cwd: dir });
    expect(first.stderr).toMatch(/^1\/3 {2}car_\d+ {2}/);
    expect(first.stdout).toContain('3 vehicles: 3 completed');
    expect(first.code).toBe(0);
    const names = readdirSync(join(dir, 'out')).filter((name) => !name.startsWith('.'));
    expect(names.sort()).toEqual(['car_1.json', 'car_10.json', 'car_2.json', 'summary.csv']);
    expect(jsonOf('out/car_2.json').data.vehicle_id).toBe('car_2');
    const summary = readFileSync(join(dir, 'out/summary.csv'), 'utf8');
    expect(summary.split('\r\n').map((line) => line.split(',')[0])).toEqual([
      'vehicle_id',
      'car_1',
      'car_2',
      'car_10',
      '',
    ]);
    copyFileSync(rear, join(dir, 'fleet/car_2/rear.jpg'));
    const second = await runInside(args, { cwd: dir });
    expect(second.stderr.match(/already inspected/g)).toHaveLength(2);
    expect(jsonOf('out/car_2.json').data.images).toHaveLength(2);
    writeFileSync(join(dir, 'fleet/car_2/vehi.json'), '{ "vehicle": { "class": "luxury" } }');
    const repriced = await runInside(args, { cwd: dir });
    expect(repriced.stderr.match(/already inspected/g)).toHaveLength(2);
    expect(jsonOf('out/car_2.json').data.results.repair_cost.vehicle_class).toBe('luxury');
    rmSync(join(dir, 'fleet/car_2/vehi.json'));
    const env = { VEHI_FORMAT: 'json' };
    const other = await runInside([...args, '--region', 'US_TEXAS'], { cwd: dir, env });
    expect(other.stderr).not.toContain('already inspected');
    expect(JSON.parse(other.stdout).vehicles).toHaveLength(3);
  });

  test('a list; one bad folder is a row, the rest is inspected, exit 3', async () => {
    mkdirSync(join(dir, 'fleet2/bad'), { recursive: true });
    writeFileSync(join(dir, 'fleet2/bad/vehi.json'), '{ not json');
    copyFileSync(front, join(dir, 'fleet2/bad/front.jpg'));
    const list = `vehicle_id,folder\r\nA,../fleet/car_1\r\n"B, the second",nowhere\r\nC,../fleet2/bad\r\nD,${dir}/fleet/car_10/\r\n`;
    mkdirSync(join(dir, 'lists'));
    writeFileSync(join(dir, 'lists/list.csv'), list);
    const run = await runInside(['inspect', '--many', 'lists/list.csv', '-o', 'out2', '--json', ...NOW], {
      cwd: dir,
    });
    const { vehicles } = JSON.parse(run.stdout);
    expect(
      vehicles.map((row: { vehicle_id: string; status: string }) => [row.vehicle_id, row.status]),
    ).toEqual([
      ['A', 'completed'],
      ['B, the second', 'failed'],
      ['C', 'error'],
      ['D', 'completed'],
    ]);
    expect(vehicles[1].message).toContain('nowhere');
    expect(vehicles[2].message).toMatch(/^fleet2\/bad\/vehi\.json is not valid JSON/);
    expect(run.code).toBe(3);
  });

  test('a threshold of any vehicle is exit 1', async () => {
    const args = ['inspect', '--many', 'fleet', '-o', 'out3', '--fail-on', 'score<10', ...NOW];
    const run = await runInside([...args, '--sensitivity', 'high'], { cwd: dir });
    expect(run.code).toBe(1);
  });

  test('pictures, prices and several outputs at once; --resume leaves out what has all of its files', async () => {
    for (const car of ['one', 'two', 'bad']) mkdirSync(join(dir, 'rich', car), { recursive: true });
    for (const photo of ['right_side.jpg', 'rear_left_closeup.jpg'])
      copyFileSync(photo === 'right_side.jpg' ? front : rear, join(dir, 'rich/one', photo));
    copyFileSync(front, join(dir, 'rich/two/front.jpg'));
    writeFileSync(join(dir, 'rich/bad/front.jpg'), 'no photo');
    const args = ['inspect', '--many', 'rich', '--assess', '--sensitivity', 'high'];
    const into = ['--annotated', 'rich/marked', '-o', 'rich/res', '-o', 'markdown=docs', '-o', 'junit=ci'];
    const all = [...args, ...into, '--fail-on', 'minor', ...NOW];
    const first = await runInside(all, { cwd: dir });
    expect(first.code).toBe(3);
    expect(readdirSync(join(dir, 'docs')).sort()).toEqual(['bad.md', 'one.md', 'two.md']);
    expect(readdirSync(join(dir, 'rich/marked/one')).sort()).toEqual([
      'rear_left_closeup.jpg',
      'right_side.jpg',
    ]);
    const one = jsonOf('rich/res/one.json');
    expect(one.data.images[0].annotated_url).toMatch(/^rich\/marked\/one\/.*\.jpg$/);
    const { damages } = one.data.results;
    expect(damages.length).toBeGreaterThan(0);
    expect(one.assessment.data.summary.total_damages_assessed).toBe(damages.length);
    expect(readFileSync(join(dir, 'ci/one.xml'), 'utf8')).toContain('at or above minor');
    const rows = readFileSync(join(dir, 'rich/res/summary.csv'), 'utf8').split('\r\n');
    expect(rows.find((row) => row.startsWith('one,'))).toMatch(
      /,[\d.]+,\d+,(true|false)?,"?Low and high .* Visible damage only: .*$/,
    );
    expect(rows.find((row) => row.startsWith('bad,'))).toMatch(/,failed,.*,,,,$/);

    const later = (extra: readonly string[]) =>
      runInside([...all, '--resume', ...extra, '--now', '2026-02-01T12:00:00Z'], { cwd: dir });
    expect((await later([])).stderr.match(/already inspected/g)).toHaveLength(3);
    rmSync(join(dir, 'docs/one.md'));
    rmSync(join(dir, 'rich/marked/two/front.jpg'));
    const repaired = await later([]);
    expect(repaired.stderr.match(/already inspected/g)).toHaveLength(1);
    expect(existsSync(join(dir, 'docs/one.md'))).toBe(true);
    expect(existsSync(join(dir, 'rich/marked/two/front.jpg'))).toBe(true);
    const more = await later(['-o', 'csv=tables', '--json']);
    expect(readdirSync(join(dir, 'tables')).sort()).toEqual(['bad.csv', 'one.csv', 'two.csv']);
    expect(JSON.parse(more.stdout).vehicles).toHaveLength(3);
  });

  test('an output that cannot be written ends the run, as every vehicle would meet it; no result is lost', async () => {
    writeFileSync(join(dir, 'a-file'), '');
    const args = ['inspect', '--many', 'fleet', '-o', 'out4', '-o', 'markdown=a-file'];
    const run = await runInside([...args, ...NOW], { cwd: dir });
    expect(run.stderr).toContain('cannot write a-file/car_');
    expect(run.code).toBe(2);
    const [inspected = expect.fail('nothing kept')] = readdirSync(join(dir, 'out4')).filter((name) =>
      name.endsWith('.json'),
    );
    rmSync(join(dir, 'a-file'));
    const later = ['--resume', '--now', '2026-02-01T12:00:00Z'];
    expect((await runInside([...args, ...later], { cwd: dir })).code).toBe(0);
    expect(existsSync(join(dir, 'a-file', inspected.replace('.json', '.md')))).toBe(true);
  });

  test('killed by -9, --resume goes on where it was cut', async () => {
    for (let i = 1; i <= MANY; i++) {
      mkdirSync(join(dir, 'long', `v${i}`), { recursive: true });
      linkSync(front, join(dir, 'long', `v${i}`, 'front.jpg'));
    }
    const args = ['inspect', '--many', 'long', '-o', 'cut', ...NOW];
    let watch: NodeJS.Timeout | undefined;
    const killed = await runCli(args, {
      cwd: dir,
      env: { ...TINY, VEHI_CONCURRENCY: '1' },
      onStart: (child) => {
        watch = setInterval(() => {
          if (existsSync(join(dir, 'cut/.vehi-keys/v2'))) child.kill('SIGKILL');
        }, 5);
      },
    });
    clearInterval(watch);
    expect(killed.signal).toBe('SIGKILL');
    const done = readdirSync(join(dir, 'cut')).filter((name) => name.endsWith('.json'));
    expect(done.length).toBeLessThan(MANY);
    for (const name of done) expect(jsonOf('cut', name).data.status).toBe('completed');
    const before = statSync(join(dir, 'cut/v1.json')).mtimeMs;
    const again = await runInside([...args, '--resume'], { cwd: dir });
    expect(again.stderr).toMatch(/v1 {2}.* \(already inspected\)/);
    expect(statSync(join(dir, 'cut/v1.json')).mtimeMs).toBe(before);
    expect(again.stdout).toContain(`${MANY} vehicles: ${MANY} completed`);
    expect(again.code).toBe(0);
  });

  test('parts of a list, split as documented; the last run opens no model and sums up all of them', async () => {
    const documented = readFileSync(join(ROOT, 'docs/using/inspect.md'), 'utf8');
    const [, split = ''] = /(tail -n \+2 list\.csv[^\n]*)/.exec(documented) ?? [];
    const rows = ['car_1', 'car_2'].map((name) => `${name},fleet/${name}\n`);
    writeFileSync(join(dir, 'list.csv'), `vehicle_id,folder\n${rows.join('')}`);
    await promisify(execFile)('sh', ['-c', split.replace('r/16', 'r/2')], { cwd: dir });
    const parts = ['part.00.csv', 'part.01.csv'];
    expect(parts.map((part) => readFileSync(join(dir, part), 'utf8'))).toEqual(
      rows.map((row) => `vehicle_id,folder\n${row}`),
    );
    for (const part of parts) {
      const run = await runInside(['inspect', '--many', part, '-o', 'shared', '--resume'], {
        cwd: dir,
        env: TINY,
      });
      expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    }
    // A manifest without its models: what it names cannot be opened.
    mkdirSync(join(dir, 'no-models'));
    copyFileSync(join(TINY_MODELS, 'manifest.json'), join(dir, 'no-models/manifest.json'));
    const args = ['inspect', '--many', 'list.csv', '-o', 'shared', '--resume', '--models', 'no-models'];
    const last = await runInside(args, { cwd: dir });
    expect(last.stderr.match(/already inspected/g)).toHaveLength(2);
    expect([last.code, last.stderr]).toEqual([0, expect.any(String)]);
    expect(readFileSync(join(dir, 'shared/summary.csv'), 'utf8').trim().split('\r\n')).toHaveLength(3);
  });

  test('Ctrl-C finishes the vehicle under way; the summary says which were not begun', async () => {
    const args = ['inspect', '--many', 'long', '-o', 'stopped', ...NOW];
    const run = await runCli(args, {
      cwd: dir,
      env: { ...TINY, VEHI_CONCURRENCY: '1' },
      onStart: (child) => {
        child.stderr?.once('data', () => child.kill('SIGINT'));
      },
    });
    expect(run.code).toBe(130);
    expect(run.stdout).toMatch(/\d+ completed, \d+ not begun/);
    expect(existsSync(join(dir, 'stopped/summary.csv'))).toBe(true);
  });

  test.each([
    ['--resume alone', ['fleet', '--resume'], 2, '--many FOLDER'],
    ['photos next to them', ['fleet', '--many', 'long'], 2, '--many long names the vehicles itself'],
    [
      'an id for all',
      ['--many', 'fleet', '--vehicle-id', 'x'],
      2,
      "cannot be used with option '--vehicle-id",
    ],
    ['no sub-folders', ['--many', 'fleet/car_1'], 3, 'no sub-folders'],
    ['a folder that is not there', ['--many', 'nowhere'], 3, 'nowhere'],
    ['a list that is not there', ['--many', 'none.csv'], 3, 'none.csv'],
    ['a list with faults', ['--many', 'faults.csv'], 3, 'line 4: vehicle_id "a" is in line 2 already'],
    ['a list with stdin as a folder', ['--many', 'faults.csv'], 3, 'line 5: folder is -'],
    ['a list without the columns', ['--many', 'columns.csv'], 3, 'line 1: found id, path'],
    ['an unknown region', ['--many', 'fleet', '--region', 'US_TEXS'], 2, 'US_TEXAS'],
    ['two folders of results', ['--many', 'fleet', '-o', 'a', '-o', 'json=b'], 2, 'two folders'],
    ['a file for many', ['--many', 'fleet', '-o', 'report.pdf'], 2, 'report.pdf names one file'],
    ['stdout for many', ['--many', 'fleet', '-o', 'pdf=-'], 2, 'need a folder'],
    ['a format of one vehicle', ['--many', 'fleet', '--format', 'junit'], 2, 'one vehicle'],
    ['models that are not there', ['--many', 'fleet', '-o', 'm', '--models', '/nowhere'], 4, '/nowhere'],
    [
      'models of results in a folder with an ending',
      ['--many', 'fleet', '-o', 'm.json/', '--models', '/nowhere'],
      4,
      '/nowhere',
    ],
  ])('%s is refused', async (_, args, code, words) => {
    writeFileSync(join(dir, 'faults.csv'), 'vehicle_id,folder\na,x\nb,\na,y\nc,-\n');
    writeFileSync(join(dir, 'columns.csv'), 'id,path\na,x\n');
    const run = await runInside(['inspect', ...args], { cwd: dir });
    expect(run.stderr).toContain(words);
    expect(run.stdout).toBe('');
    expect(run.code).toBe(code);
  });
});
