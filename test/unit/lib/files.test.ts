import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText, makeFolder, makeFolderSync } from '../../../src/lib/files.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';

describe.each([
  ['makeFolder', makeFolder],
  ['makeFolderSync', async (path: string, mode?: number): Promise<void> => void makeFolderSync(path, mode)],
] as const)('%s', (_, make) => {
  const base = makeOwnFolder('make-folder');

  it('makes what is absent, with its mode, and leaves what is there', async () => {
    mkdirSync(join(base, 'there'), { mode: 0o755 });
    await make(join(base, 'there', 'a', 'b'), 0o700);
    await make(join(base, 'there', 'a', 'b'), 0o700);
    const modes = ['there', 'there/a', 'there/a/b'].map((path) => statSync(join(base, path)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o700, 0o700]);
  });

  it('takes a link to a folder for the folder', async () => {
    mkdirSync(join(base, 'target'));
    symlinkSync('target', join(base, 'link'));
    await make(join(base, 'link', 'a'));
    expect(existsSync(join(base, 'target', 'a'))).toBe(true);
  });

  it('refuses a file in the way, and a link to nothing', async () => {
    writeFileSync(join(base, 'file'), '');
    symlinkSync('nothing', join(base, 'broken'));
    await expect(async () => make(join(base, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(async () => make(join(base, 'broken'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.skipIf(process.platform !== 'linux')('fails where the system takes no folders', async () => {
    await expect(async () => make('/proc/.local/share/vehi')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('makes one folder for several at once', async () => {
    const path = join(base, 'x', 'y', 'z');
    await Promise.all([make(path), make(path), make(path)]);
    expect(existsSync(path)).toBe(true);
  });
});

const TEXT = '{"vehicle_id": "Zoë 🚗"}';
const utf16 = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');

it.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['UTF-16, little end first', utf16],
  ['UTF-16, big end first', Buffer.from(utf16).swap16()],
])('a text in %s is read', (_, bytes) => {
  expect(decodeText(bytes)).toBe(TEXT);
});

it('nothing is an empty text', () => {
  expect(decodeText(Buffer.alloc(0))).toBe('');
});

it.each([
  ['Windows-1252', Buffer.from('{\n"owner": "M\xfcller"}', 'latin1'), 'byte 14 (0xFC, line 2) is not UTF-8'],
  ['a cut letter at the end', Buffer.from('ab\xc3', 'latin1'), 'byte 3 (0xC3, line 1) is not UTF-8'],
  [
    'a byte order mark and then another code page',
    Buffer.from('\xef\xbb\xbfM\xfc', 'latin1'),
    'byte 5 (0xFC, line 1)',
  ],
  ['a mark that stands for a fault', Buffer.from([0xef, 0xbf, 0xbd, 0x0a, 0xff]), 'byte 5 (0xFF, line 2)'],
])('a text in %s is refused with line and byte', (_, bytes, reason) => {
  expect(() => decodeText(bytes)).toThrow(reason);
  expect(() => decodeText(bytes)).toThrow('Windows-1252');
  expect(() => decodeText(bytes, 'vehi.json')).toThrow(`vehi.json: ${reason}`);
});
