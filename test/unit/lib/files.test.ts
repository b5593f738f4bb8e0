import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeFolderSync } from '../../../src/lib/files.ts';
import { makeOwnFolder } from '../../helpers/temporary-folder.ts';

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
