import { execFile } from 'node:child_process';

export interface StepRun {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a script of a CI job as its runner would: bash that stops at the first failure. */
export function runStep(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<StepRun> {
  const { PATH = '', HOME = '' } = process.env;
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  const own = { PATH, HOME, CI: 'true', NPM_CONFIG_PREFER_OFFLINE: 'true', ...certificates(), ...env };
  return new Promise((done) => {
    const child = execFile('bash', args, { cwd, env: own }, (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}

/** Where npm goes through a proxy with certificates of its own. */
function certificates(): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
}
