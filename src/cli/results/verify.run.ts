import { createPublicKey } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readEvidenceKey } from '../../config/evidence-key.ts';
import { computeFingerprint, type Manifest } from '../../evidence/manifest.ts';
import { type CheckedEvidence, checkEvidence } from '../../evidence/verify.ts';
import { withFile } from '../../images/read/with-file.ts';
import { toReason, VehiError } from '../../lib/errors.ts';
import { formatCount } from '../../lib/format-count.ts';
import { toJsonText } from '../../lib/json.ts';
import { escapeName } from '../../lib/names.ts';
import { formatDateTime } from '../../report/figures.ts';
import { wrapText } from '../../report/text/terminal-lines.ts';
import type { FlagsOf } from '../commands.ts';
import type { CliContext } from '../terminal/context.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { countColumns, write } from '../terminal/output.ts';

/** Classification of the signer by the keys known on this machine. */
type Signer = 'named' | 'own' | 'other' | 'unknown';

export async function runVerify(name: string, flags: FlagsOf<'verify'>, ctx: CliContext): Promise<void> {
  const path = resolve(ctx.cwd, name);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile())
    throw new VehiError('input', 'SOURCE_NOT_FOUND', `${escapeName(name)} is not a file.`, {
      hint: 'Give a file that -o evidence=FILE.zip wrote.',
    });
  const named = await Promise.all((flags.key ?? []).map((key) => readKey(key, ctx)));
  await withFile(path, (file) => file.read()).catch((cause: unknown) => {
    const message = `cannot read ${escapeName(name)}: ${toReason(cause)}`;
    throw new VehiError('input', 'FILE_UNREADABLE', message, { cause });
  });
  const evidence = await checkEvidence(path);
  const signer = judgeSigner(evidence, named, ctx);
  const isIntact = evidence.faults.length === 0 && signer !== 'other';
  const isKnown = signer === 'named' || signer === 'own';
  const { faults, manifest, signer: key } = evidence;
  const text = flags.json
    ? toJsonText({ whole: faults.length === 0, signed_by: signer, key, faults, manifest })
    : describe(escapeName(name), evidence, signer, countColumns(ctx));
  await write(ctx.stdout, text);
  ctx.setExitCode(!isIntact ? EXIT.inputRejected : isKnown ? EXIT.done : EXIT.thresholdHit);
}

/** Returns the fingerprint of a given key. @throws VehiError usage for an invalid key */
async function readKey(given: string, ctx: CliContext): Promise<string> {
  if (/^[0-9a-f]{64}$/i.test(given)) return given.toLowerCase();
  try {
    return computeFingerprint(createPublicKey(await readFile(resolve(ctx.cwd, given))));
  } catch (cause) {
    throw new VehiError('usage', 'KEY_UNREADABLE', `--key ${escapeName(given)}: ${toReason(cause)}`, {
      hint: 'Give the 64 characters of a fingerprint, or a file as vehi admin evidence-key prints it.',
      cause,
    });
  }
}

function judgeSigner({ signer }: CheckedEvidence, named: readonly string[], ctx: CliContext): Signer {
  if (signer === null) return 'unknown';
  if (named.length > 0) return named.includes(signer) ? 'named' : 'other';
  const own = readEvidenceKey(ctx.env);
  return own && computeFingerprint(own) === signer ? 'own' : 'unknown';
}

const SIGNER_WORDS: Readonly<Record<Signer, string>> = {
  named: 'the one that you named',
  own: 'your own',
  other: 'NOT one that you named: somebody else signed this file',
  unknown: 'not known here: compare it with the fingerprint that its owner gave you, or give --key',
};

function describe(
  name: string,
  { faults, manifest, signer: key }: CheckedEvidence,
  signer: Signer,
  columns: number,
) {
  const wrap = (line: string, indent = 0) => wrapText(line, columns, indent);
  const changed = manifest
    ? 'has CHANGED since it was signed:'
    : 'is not an evidence file, or no longer one:';
  const lines = [
    wrap(`${name} ${faults.length === 0 ? 'is unchanged since it was signed.' : changed}`),
    ...faults.map(({ file, text }) =>
      wrap([file && nameFile(file, manifest), text].filter(Boolean).join(' '), 2),
    ),
    ...(manifest ? [wrap(describeFacts(manifest, faults.length === 0))] : []),
    ...(key ? [`signed by ${key}`, wrap(`this key is ${SIGNER_WORDS[signer]}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function nameFile(file: string, manifest: Manifest | null): string {
  const url = manifest?.files.find(({ name }) => name === file)?.photo?.url;
  return escapeName(url ? `${file} (${url})` : file);
}

function describeFacts({ files, ...of }: Manifest, isIntact: boolean): string {
  const photos = files.filter(({ photo }) => photo).length;
  const facts = `vehicle ${of.vehicle_id}, ${of.inspection_id}, packed ${formatDateTime(of.packed_at)} by ${of.software}: ${formatCount(photos, 'photo')}, ${formatCount(files.length - photos, 'document')}`;
  return escapeName(isIntact ? facts : `according to the file itself: ${facts}`);
}
