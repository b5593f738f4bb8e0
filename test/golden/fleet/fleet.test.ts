import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, runCli } from '../../helpers/cli/run-cli.ts';
import { openBuilt } from '../../helpers/cli/run-inside.ts';
import { TINY_MODELS, writeDrawnCar } from '../../helpers/photos/drawn-car.ts';

const { folder: dir, at, read, readJson, run, write } = openBuilt('fleet');
const list = (folder: string) =>
  readdirSync(at(folder))
    .filter((name) => !name.startsWith('.'))
    .sort();
const readIds = (file: string) =>
  read(file)
    .trim()
    .split('\r\n')
    .map((line) => line.split(',')[0]);
const REUSED = /already inspected/g;
/** A vehicle id with more bytes than a file name may have. */
const LONG = '車'.repeat(100);
const LATER = '--resume --now 2026-02-01T12:00:00Z';

/** Puts a drawn photo into a folder. */
function put(path: string, photo = 'front.jpg'): void {
  mkdirSync(at(join(path, '..')), { recursive: true });
  copyFileSync(at(photo), at(path));
}

beforeAll(async () => {
  await writeDrawnCar(at('front.jpg'));
  await writeDrawnCar(at('rear.jpg'), 9);
  for (const car of ['car_1', 'car_2', 'car_10']) put(`fleet/${car}/front.jpg`);
  for (let i = 1; i <= MANY; i++) {
    mkdirSync(at(`long/v${i}`), { recursive: true });
    linkSync(at('front.jpg'), at(`long/v${i}/front.jpg`));
  }
});

/** Vehicles that take far longer together than a signal does to arrive. */
const MANY = 10;
/** Starts a fleet in a process of its own, one vehicle at a time. */
const startMany = (into: string, onStart: NonNullable<Parameters<typeof runCli>[1]>['onStart']) =>
  runCli(['inspect', '--many', 'long', '-o', into], {
    cwd: dir,
    env: { VEHI_MODEL_DIR: TINY_MODELS, VEHI_CONCURRENCY: '1' },
    ...(onStart ? { onStart } : {}),
  });

describe('vehi inspect of many vehicles', () => {
  test('names the photos that lie in no folder of a vehicle; only a folder without photos is of outputs alone', async () => {
    for (const name of ['car/front.jpg', 'with_output/front.jpg', 'left.MPO', 'rear', '.hidden.jpg'])
      put(`strays/${name}`);
    for (const name of ['results', 'empty']) mkdirSync(at(`strays/${name}`));
    write('strays/notes.txt', 'no photo');
    const ran = await run('inspect --many strays -o strays/results -o csv=strays/with_output');
    expect(ran.stdout).toContain('3 vehicles: 2 completed, 1 failed');
    expect(ran.stderr).toContain("not inspected, because they are in no vehicle's folder: left.MPO, rear\n");
    expect(readIds('strays/results/summary.csv')).toEqual(['vehicle_id', 'car', 'empty', 'with_output']);
  });

  test('a result per subfolder, a summary, and --resume does again only what changed', async () => {
    const line = 'inspect --many fleet --resume -o out';
    const first = await run(line);
    expect(first.stderr).toMatch(/^1\/3 {2}car_\d+ {2}/);
    expect(first.stdout).toContain('3 vehicles: 3 completed');
    expect(first.code).toBe(0);
    expect(list('out')).toEqual(['car_1.json', 'car_10.json', 'car_2.json', 'summary.csv']);
    expect(readJson('out/car_2.json').data.vehicle_id).toBe('car_2');
    expect(readIds('out/summary.csv')).toEqual(['vehicle_id', 'car_1', 'car_2', 'car_10']);
    put('fleet/car_2/rear.jpg', 'rear.jpg');
    expect((await run(line)).stderr.match(REUSED)).toHaveLength(2);
    expect(readJson('out/car_2.json').data.images).toHaveLength(2);
    write('fleet/car_2/vehi.json', { vehicle: { class: 'luxury' } });
    expect((await run(line)).stderr.match(REUSED)).toHaveLength(2);
    expect(readJson('out/car_2.json').data.results.repair_cost.vehicle_class).toBe('luxury');
    rmSync(at('fleet/car_2/vehi.json'));
    const other = await run(`${line} --region US_TEXAS --fail-on score<10`, { VEHI_FORMAT: 'json' });
    expect(other.stderr).not.toMatch(REUSED);
    expect(JSON.parse(other.stdout).vehicles).toHaveLength(3);
    expect(other.code, 'a threshold of any vehicle').toBe(1);
  });

  test('a list; one bad folder is a row, the rest is inspected, exit 3', async () => {
    write('fleet2/bad/vehi.json', '{ not json');
    put('fleet2/bad/front.jpg');
    const rows = `A,../fleet/car_1\r\n"B, the second",nowhere\r\nC,../fleet2/bad\r\n${LONG},${dir}/fleet/car_10/\r\n`;
    write('lists/list.csv', `vehicle_id,folder\r\n${rows}`);
    const { code, stdout } = await run('inspect --many lists/list.csv -o out2 -o parts=out2 --json');
    expect(JSON.parse(stdout).vehicles).toMatchObject([
      { vehicle_id: 'A', status: 'completed' },
      { vehicle_id: 'B, the second', status: 'failed', message: expect.stringContaining('nowhere') },
      { vehicle_id: 'C', status: 'error', message: expect.stringMatching(/^fleet2\/bad\/vehi\.json is not/) },
      { vehicle_id: LONG, status: 'completed' },
    ]);
    expect(code).toBe(3);
  });

  test('pictures, prices and several outputs at once; --resume leaves out what has all of its files', async () => {
    put('rich/one/right_side.jpg');
    put('rich/two/front.jpg', 'rear.jpg');
    write('rich/bad/front.jpg', 'no photo');
    const into = '--annotated rich/marked -o rich/res -o markdown=docs -o junit=ci';
    const line = `inspect --many rich --assess --sensitivity high ${into} --fail-on minor`;
    expect((await run(line)).code).toBe(3);
    expect(list('docs')).toEqual(['bad.md', 'one.md', 'two.md']);
    expect(list('rich/marked/one')).toEqual(['right_side.jpg']);
    const { data, assessment } = readJson('rich/res/one.json');
    expect(data.images[0].annotated_url).toBe('rich/marked/one/right_side.jpg');
    const { damages } = data.results;
    expect(damages.length).toBeGreaterThan(0);
    expect(assessment.data.summary.total_damages_assessed).toBe(damages.length);
    expect(read('ci/one.xml')).toContain('at or above minor');
    const summary = read('rich/res/summary.csv');
    expect(summary).toMatch(/^one,.*,[\d.]+,\d+,(true|false)?,"?Low and high .* Visible damage only: .*$/m);
    expect(summary).toMatch(/^bad,.*,failed,.*,,,,\r$/m);

    expect((await run(`${line} ${LATER}`)).stderr.match(REUSED)).toHaveLength(3);
    rmSync(at('docs/one.md'));
    rmSync(at('rich/marked/two/front.jpg'));
    expect((await run(`${line} ${LATER}`)).stderr.match(REUSED)).toHaveLength(1);
    expect([list('docs').length, list('rich/marked/two')]).toEqual([3, ['front.jpg']]);
    const more = await run(`${line} ${LATER} -o csv=tables --json`);
    expect(list('tables')).toEqual(['bad.csv', 'one.csv', 'two.csv']);
    expect(JSON.parse(more.stdout).vehicles).toHaveLength(3);
  });

  test('an output that cannot be written ends the run, as every vehicle would meet it; no result is lost', async () => {
    write('a-file', '');
    const line = 'inspect --many fleet -o out4 -o markdown=a-file';
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot write a-file/car_')]);
    const [inspected = expect.fail('nothing kept')] = list('out4').filter((name) => name.endsWith('.json'));
    rmSync(at('a-file'));
    expect((await run(`${line} ${LATER}`)).code).toBe(0);
    expect(list('a-file')).toContain(inspected.replace('.json', '.md'));
  });

  test('killed by -9, --resume goes on where it was cut', async () => {
    let watch: NodeJS.Timeout | undefined;
    const killed = await startMany('cut', (child) => {
      watch = setInterval(() => {
        if (existsSync(at('cut/.vehi-keys/v2'))) child.kill('SIGKILL');
      }, 5);
    });
    clearInterval(watch);
    expect(killed.signal).toBe('SIGKILL');
    const done = list('cut').filter((name) => name.endsWith('.json'));
    expect(done.length).toBeLessThan(MANY);
    for (const name of done) expect(readJson(`cut/${name}`).data.status).toBe('completed');
    const before = statSync(at('cut/v1.json')).mtimeMs;
    const again = await run('inspect --many long -o cut --resume');
    expect(again.stderr).toMatch(/v1 {2}.* \(already inspected\)/);
    expect(statSync(at('cut/v1.json')).mtimeMs).toBe(before);
    expect(again.stdout).toContain(`${MANY} vehicles: ${MANY} completed`);
    expect(again.code).toBe(0);
  });

  test('Ctrl-C finishes the vehicle under way; the summary says which were not begun', async () => {
    const stopped = await startMany('stopped', (child) => {
      child.stderr?.once('data', () => child.kill('SIGINT'));
    });
    expect(stopped.code).toBe(130);
    expect(stopped.stdout).toMatch(/\d+ completed, \d+ not begun/);
    expect(readIds('stopped/summary.csv')).toHaveLength(MANY + 1);
  });

  test('parts of a list, split as documented; the last run opens no model and sums up all of them', async () => {
    const documented = await readFile(join(ROOT, 'docs/using/inspect.md'), 'utf8');
    const [, split = ''] = /(tail -n \+2 list\.csv[^\n]*)/.exec(documented) ?? [];
    const rows = ['car_1', 'car_2'].map((name) => `${name},fleet/${name}\n`);
    write('list.csv', `vehicle_id,folder\n${rows.join('')}`);
    await promisify(execFile)('sh', ['-c', split.replace('r/16', 'r/2')], { cwd: dir });
    for (const [index, part] of ['part.00.csv', 'part.01.csv'].entries()) {
      expect(read(part)).toBe(`vehicle_id,folder\n${rows[index]}`);
      expect((await run(`inspect --many ${part} -o shared --resume`)).code).toBe(0);
    }
    // A manifest without its models: what it names cannot be opened.
    write('no-models/manifest.json', await readFile(join(TINY_MODELS, 'manifest.json')));
    const last = await run('inspect --many list.csv -o shared --resume --models no-models');
    expect(last.stderr.match(REUSED)).toHaveLength(2);
    expect(last.code).toBe(0);
    expect(readIds('shared/summary.csv')).toHaveLength(3);
  });

  test.each([
    ['--many fleet --vehicle-id x', 2, "cannot be used with option '--vehicle-id"],
    ['--many nowhere', 3, 'nowhere'],
    ['--many none.csv', 3, 'none.csv'],
    ['--many faults.csv', 3, 'faults.csv: 3 faults:\n  line 3: folder is empty'],
    ['--many faults.csv', 3, 'line 4: vehicle_id "a" is in line 2 already'],
    ['--many faults.csv', 3, 'line 5: folder is -'],
    ['--many fleet -o a -o json=b', 2, 'two folders'],
    ['--many fleet -o report.pdf', 2, 'report.pdf names one file'],
    ['--many fleet -o pdf=-', 2, 'need a folder'],
    ['--many fleet --format junit', 2, 'one vehicle'],
    // Of the results in a folder with an ending of files.
    ['--many fleet -o m.json/ --models /nowhere', 4, '/nowhere'],
  ])('%s is refused', async (words, code, said) => {
    write('faults.csv', 'vehicle_id,folder\na,x\nb,\na,y\nc,-\n');
    const ran = await run(`inspect ${words}`);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) });
  });
});
