// @module-tag slow: photos are packed and read back by the command line
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeClaimFolder, NOW } from '../../helpers/cli/claim-folder.ts';

const { folder, run } = await makeClaimFolder();
const MINE = { XDG_CONFIG_HOME: join(folder, 'mine') };
const OTHERS = { XDG_CONFIG_HOME: join(folder, 'others') };
const NO_BLUR = ['--redact', 'off', ...NOW];

describe('an evidence file', { timeout: 60_000 }, () => {
  test('is the same bytes each time, opens as a result, and is verified by the key of its owner', async () => {
    const made = await run(['report', 'result.json', '-o', 'evidence=one.zip', ...NO_BLUR], '', MINE);
    expect(made.stderr).toContain('evidence written to one.zip');
    await run(['report', 'one.zip', '-o', 'two.zip', ...NO_BLUR], '', MINE);
    expect(readFileSync(join(folder, 'one.zip')).equals(readFileSync(join(folder, 'two.zip')))).toBe(true);
    expect(statSync(join(MINE.XDG_CONFIG_HOME, 'vehi/evidence-key.pem')).mode & 0o777).toBe(0o600);
    const { fingerprint, public_key: pem } = JSON.parse(
      String((await run(['admin', 'evidence-key', '--json'], '', MINE)).stdout),
    );
    writeFileSync(join(folder, 'signer.pem'), pem);
    const strange = (await run(['admin', 'evidence-key', '--json'], '', OTHERS)).stdout;
    const codes = async (...words: string[]) => (await run(['verify', 'one.zip', ...words], '', OTHERS)).code;
    expect((await run(['verify', 'one.zip'], '', MINE)).code).toBe(0);
    expect(await codes()).toBe(1);
    expect(await codes('--key', 'signer.pem')).toBe(0);
    expect(await codes('--key', fingerprint)).toBe(0);
    expect(await codes('--key', JSON.parse(String(strange)).fingerprint)).toBe(3);
  });

  test('names the photo that changed by its own name, and no command reads it as a result', async () => {
    const bytes = readFileSync(join(folder, 'one.zip'));
    const photo = readFileSync(join(folder, 'photos/IMG_0002.jpg'));
    const at = bytes.indexOf(photo) + 1000;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(folder, 'bad.zip'), bytes);
    const { code, stdout } = await run(['verify', 'bad.zip'], '', MINE);
    expect(code).toBe(3);
    expect(String(stdout)).toContain('photos/002.jpeg (photos/IMG_0002.jpg) is not what was signed');
    const refused = await run(['compare', 'bad.zip', 'result.json'], '', MINE);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('photos/002.jpeg is not what was signed');
    const renamed = bytes.toString('latin1').replaceAll('manifest.json', 'manifest.html');
    writeFileSync(join(folder, 'other.zip'), renamed, 'latin1');
    const other = await run(['report', 'other.zip', '-o', 'x.pdf'], '', MINE);
    expect(other.code).toBe(3);
    expect(other.stderr).toContain('is not a vehi result: it is a ZIP file, but no evidence file');
  });

  test('of a comparison holds both visits; facts of the photos carry no position', async () => {
    const made = await run(
      [
        ...['compare', 'one.zip', 'result.json', '-q'],
        ...['-o', 'evidence=return.zip', '-o', 'a.pdf', ...NOW],
      ],
      '',
      MINE,
    );
    // What was looked for in the pictures of all documents is said once.
    expect(made.stderr).toMatch(/^vehi: [^\n]*number plate[^\n]*\n$/);
    const { whole, manifest } = JSON.parse(
      String((await run(['verify', 'return.zip', '--json'], '', MINE)).stdout),
    );
    expect(whole).toBe(true);
    expect(manifest.region.tables_sha256).toBe('7e'.repeat(32));
    const zip = readFileSync(join(folder, 'return.zip'), 'utf8');
    expect(zip).toMatch(/<b>Since [-\d]+[^<]*: 0 new · 0 changed · 0 repaired\./u);
    const names = manifest.files.map(({ name }: { name: string }) => name);
    expect(names).toContain('comparison.json');
    expect(names).toContain('earlier-result.json');
    const photo = manifest.files.find(({ name }: { name: string }) => name === 'photos/001.jpeg').photo;
    expect(photo).toEqual({ url: 'photos/IMG_0001.jpg', camera: 'Phone' });
  });

  test('is not made without the photos', async () => {
    const moved = await run(
      ['report', '-', '-o', 'evidence=x.zip', ...NO_BLUR],
      readFileSync(join(folder, 'result.json'), 'utf8').replaceAll('IMG_0001', 'gone'),
      MINE,
    );
    expect(moved.code).toBe(3);
    expect(moved.stderr).toContain('no evidence without photos/gone.jpg');
  });
});
