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
  // Where npm goes through a proxy with certificates of its own, the file is named.
  const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  const own = { PATH, HOME, NODE_EXTRA_CA_CERTS, CI: 'true', NPM_CONFIG_PREFER_OFFLINE: 'true', ...env };
  return new Promise((done) => {
    const child = execFile('bash', args, { cwd, env: own }, (_error, stdout, stderr) =>
      done({ code: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
}
