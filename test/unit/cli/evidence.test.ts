// @module-tag slow: photos are packed and read back by the command line
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeClaimFolder } from '../../helpers/cli/claim-folder.ts';

const { at, read, run, write } = await makeClaimFolder();
const MINE = { XDG_CONFIG_HOME: at('mine') };
const OTHERS = { XDG_CONFIG_HOME: at('others') };

describe('an evidence file', { timeout: 60_000 }, () => {
  test('is the same bytes each time, opens as a result, and is verified by the key of its owner', async () => {
    const made = await run('report result.json -o one.zip --redact off', MINE);
    expect(made.stderr).toContain('evidence written to one.zip');
    await run('report one.zip -o two.zip --redact off', MINE);
    expect(readFileSync(at('one.zip')).equals(readFileSync(at('two.zip')))).toBe(true);
    expect(statSync(at('mine/vehi/evidence-key.pem')).mode & 0o777).toBe(0o600);
    const readKey = async (env: NodeJS.ProcessEnv) =>
      JSON.parse((await run('admin evidence-key --json', env)).stdout);
    const { fingerprint, public_key: pem } = await readKey(MINE);
    write('signer.pem', pem);
    const other = (await readKey(OTHERS)).fingerprint;
    for (const [env, flag, code] of [
      [MINE, '', 0],
      [OTHERS, '', 1],
      [OTHERS, ' --key signer.pem', 0],
      [OTHERS, ` --key ${fingerprint}`, 0],
      [OTHERS, ` --key ${other}`, 3],
    ] as const)
      expect((await run(`verify one.zip${flag}`, env)).code).toBe(code);
  });

  test('names the photo that changed by its own name, and no command reads it as a result', async () => {
    const bytes = readFileSync(at('one.zip'));
    const place = bytes.indexOf(readFileSync(at('photos/IMG_0002.jpg'))) + 1000;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    write('bad.zip', bytes);
    write(
      'other.zip',
      Buffer.from(bytes.toString('latin1').replaceAll('manifest.json', 'manifest.html'), 'latin1'),
    );
    for (const [line, said] of [
      ['verify bad.zip', 'photos/002.jpeg (photos/IMG_0002.jpg) is not what was signed'],
      ['compare bad.zip result.json', 'photos/002.jpeg is not what was signed'],
      ['report other.zip -o x.pdf', 'is not a vehi result: it is a ZIP file, but no evidence file'],
    ] as const) {
      const { code, stdout, stderr } = await run(line, MINE);
      expect([code, stdout + stderr]).toEqual([3, expect.stringContaining(said)]);
    }
  });

  test('of a comparison holds both visits; facts of the photos carry no position', async () => {
    const made = await run('compare one.zip result.json -q -o return.zip -o a.pdf', MINE);
    // What was looked for in the pictures of all documents is said once.
    expect(made.stderr).toMatch(/^vehi: [^\n]*number plate[^\n]*\n$/);
    const { whole, manifest } = JSON.parse((await run('verify return.zip --json', MINE)).stdout);
    expect(whole).toBe(true);
    expect(manifest.region.tables_sha256).toBe('7e'.repeat(32));
    expect(read('return.zip')).toMatch(/<b>Since [-\d]+[^<]*: 0 new · 0 changed · 0 repaired\./u);
    const files: { name: string; photo?: object }[] = manifest.files;
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['comparison.json', 'earlier-result.json']),
    );
    const { photo } = files.find(({ name }) => name === 'photos/001.jpeg') ?? {};
    expect(photo).toEqual({ url: 'photos/IMG_0001.jpg', camera: 'Phone' });
  });

  test('is not made without the photos', async () => {
    const moved = read('result.json').replaceAll('IMG_0001', 'gone');
    const { code, stderr } = await run('report - -o evidence=x.zip --redact off', MINE, moved);
    expect([code, stderr]).toEqual([3, expect.stringContaining('no evidence without photos/gone.jpg')]);
  });
});
