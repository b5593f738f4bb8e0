import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readExplicit, readSettings } from '../../config/settings.ts';
import { toModelVersion } from '../../domain/model-used.ts';
import { resolveModuleEntry } from '../../lib/thread.ts';
import { createBackend } from '../../server/backend.ts';
import type { ServerClock } from '../../server/clock.ts';
import { listInspectingModels } from '../../vision/models/manifest.ts';
import { loadManifest } from '../../vision/models/model-files.ts';
import { checkPrices, createLocalEngine, findModelDir } from '../local-engine.ts';
import type { CliContext } from '../terminal/context.ts';
import type { ServeFlags } from './serve-settings.ts';

export type EngineFlags = Pick<ServeFlags, 'models' | 'regions' | 'region' | 'currency' | 'redact'>;

/** Opens the backend of a service by flags and settings. */
export async function openBackend(flags: EngineFlags, clock: ServerClock, ctx: CliContext) {
  const settings = readSettings(flags, ctx);
  const { tables } = await checkPrices(settings);
  const manifest = await loadManifest(findModelDir(settings, ctx));
  return createBackend({
    redacts: settings.redact.value === 'on',
    engine: await createLocalEngine({ settings, now: clock.now, ctx }, 'when-needed'),
    tables,
    currency: readExplicit(settings.currency),
    modelVersion: toModelVersion(listInspectingModels(manifest)),
  });
}

/** Returns a function that starts a child process with the same backend, for photos that may crash it. */
export function createChildStarter(
  { models, regions, region, currency, redact }: EngineFlags,
  ctx: CliContext,
): () => ChildProcess {
  const file = resolveModuleEntry('cli/service/photo-child');
  const flags = JSON.stringify({ models, regions, region, currency, redact });
  return () =>
    fork(fileURLToPath(file), [flags], {
      cwd: ctx.cwd,
      env: { ...ctx.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
}
