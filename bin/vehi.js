#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 node
// By default glibc keeps freed photos in many heaps: 80 MB more at the peak, for no less processor time.
import { readFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { setFlagsFromString } from 'node:v8';

const needed = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `vehi needs Node ${needed.join('.')} or newer; this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
} else if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2])) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  // Exit code 1 means that a threshold was hit; nothing unforeseen may end with it.
  process.on('uncaughtException', fail);
  module.enableCompileCache?.();
  // V8 recompiles hot functions in a background thread; an inspection of a dozen photos ends before most of that pays off.
  // Other commands keep it. The V8 of Node 22 has no such flag.
  if (major === 20 && process.argv[2] === 'inspect') setFlagsFromString('--interrupt-budget=1500000');
  try {
    const { main } = await import('../dist/cli/main.js');
    await main(process.argv);
  } catch (error) {
    fail(error);
  }
}

/** Says in a sentence what ended the program before a command could. */
function fail(error) {
  const isFolderGone = error?.syscall === 'uv_cwd' || error?.syscall === 'process.cwd';
  const isOutOfFiles = ['EMFILE', 'ENFILE'].includes(error?.code);
  const reason = isFolderGone
    ? 'the working folder was deleted. Change to another folder.'
    : isOutOfFiles
      ? 'too many files are open. Raise the limit: ulimit -n 1024'
      : `this is a bug in vehi, please report it:\n${error?.stack ?? error}`;
  process.exitCode = isFolderGone || isOutOfFiles ? 2 : 4;
  try {
    writeSync(2, `vehi: ${reason}\n`);
  } catch {
    // Nobody reads stderr.
  }
  process.exit();
}
