import { VehiError } from './errors.ts';

/** Packages with machine code, which an installation made for another machine lacks. */
const NATIVE_PACKAGES = ['sharp', 'libheif-js', '@photostructure/sqlite', 'onnxruntime-node'] as const;

const MISSING = /Cannot find (?:package|module)|Could not load the "sharp" module/;

/** Returns what to do about a package that does not work on this machine. */
export const describeInstall = (name: string): string =>
  `${name} does not work on this machine. Install vehi with the parts for it: npm install -g --ignore-scripts --include=optional vehi.`;

/** Returns the error that names a missing package with machine code; undefined for any other error. */
export function findMissingPart(error: unknown): VehiError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { message, stack = '' } = one;
    const isMissing = MISSING.test(message) || (one as NodeJS.ErrnoException).code === 'ERR_DLOPEN_FAILED';
    const name = [message, stack].flatMap((text) => NATIVE_PACKAGES.filter((part) => text.includes(part)))[0];
    if (isMissing && name !== undefined) {
      const [reason = ''] = message.split('\n');
      return new VehiError('engine', 'PART_MISSING', reason, { hint: describeInstall(name), cause: error });
    }
  }
  return undefined;
}
