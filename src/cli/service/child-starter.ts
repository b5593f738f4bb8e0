import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { resolveModuleEntry } from '../../lib/package.ts';
import type { CliContext } from '../terminal/context.ts';
import type { EngineFlags, PriceSettings } from './programs.ts';

/** Returns a function that starts a child process with the same configuration, for photos that may crash it. */
export function createChildStarter(
  { models, regions, region, currency, redact }: EngineFlags,
  settings: PriceSettings,
  ctx: CliContext,
): () => ChildProcess {
  const file = resolveModuleEntry('cli/work/photo-child');
  const configuration = {
    flags: { models, regions, region, currency, redact },
    settings: { region: settings.region, currency: settings.currency },
  };
  return () =>
    fork(fileURLToPath(file), [JSON.stringify(configuration)], {
      cwd: ctx.cwd,
      env: { ...ctx.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}
