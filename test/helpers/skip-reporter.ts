import type { Reporter, TestModule } from 'vitest/node';

/** Tests that may be skipped on a machine where everything they need is installed, each with the reason. */
const EXPECTED: readonly { readonly name: string; readonly why: string }[] = [
  { name: 'names a folder that may not be read', why: 'root may read every folder' },
  { name: "GitLab's own schema finds no fault", why: 'needs Node 22; .ci/run checks the job with one' },
  { name: 'refuses what breaks one rule of the document', why: 'some operations have no rule to break' },
  { name: 'seeds and labels of rendered pictures', why: 'needs numpy and OpenCV, which only training needs' },
  { name: 'stores nothing half, and goes on when there is room', why: 'needs the right to mount a tmpfs' },
  { name: 'systemd finds no fault in', why: 'needs systemd, which containers often lack' },
];

/**
 * Fails a run that skipped a test nobody expected to be skipped, and lists what passed only at the second try; used by
 * .ci/run.
 */
export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.flaky)
        .map(({ fullName }) => `  ${module.relativeModuleId}: ${fullName}\n`),
    );
    if (retried.length > 0) process.stderr.write(`passed only at the second try:\n${retried.join('')}`);
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map(
        ({ fullName }) => `${module.relativeModuleId}: ${fullName}`,
      ),
    );
    const unexpected = skipped.filter((name) => !EXPECTED.some((one) => name.includes(one.name)));
    if (unexpected.length === 0) return;
    process.stderr.write(
      `skipped, though nothing explains it:\n${unexpected.map((name) => `  ${name}\n`).join('')}`,
    );
    process.exitCode = 1;
  }
}
