import { findEvidenceKeyFile, openEvidenceKey } from '../../config/evidence-key.ts';
import { computeFingerprint, exportPublicKey } from '../../evidence/manifest.ts';
import { toJsonText } from '../../lib/json.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { write, writeStatus } from '../terminal/output.ts';

/** Prints the public key on stdout and its fingerprint on stderr; creates the key on first use. */
export async function runEvidenceKey(flags: FlagsOf<'admin evidence-key'>, ctx: CliContext): Promise<void> {
  const key = openEvidenceKey(ctx.env);
  const [fingerprint, pem] = [computeFingerprint(key), exportPublicKey(key)];
  if (flags.json) return write(ctx.stdout, toJsonText({ fingerprint, public_key: pem }));
  await write(ctx.stdout, pem);
  await writeStatus(ctx, `fingerprint ${fingerprint}\nstored in ${findEvidenceKeyFile(ctx.env)}`);
}
