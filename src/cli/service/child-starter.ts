import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { resolveModuleEntry } from '../../lib/package.ts';
import type { CliContext } from '../terminal/context.ts';
import type { EngineFlags } from './programs.ts';

/** Returns a function that starts a child process with the same configuration, for photos that may crash it. */
export function createChildStarter(
  { models, regions, region, currency, redact }: EngineFlags,
  ctx: CliContext,
): () => ChildProcess {
  const file = resolveModuleEntry('cli/work/photo-child');
  const flags = JSON.stringify({ models, regions, region, currency, redact });
  return () =>
    fork(fileURLToPath(file), [flags], {
      cwd: ctx.cwd,
      env: { ...ctx.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}
