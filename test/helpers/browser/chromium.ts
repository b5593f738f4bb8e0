import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium; the shell without a window takes a fifth less processor time where it is installed. */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Whether Debian's Chromium is there; tests that need it are skipped, saying so, where it is not. */
export const hasChromium = CHROMIUM !== undefined;

/** A headless Chromium that asks for nothing by itself. @param args further arguments of its command line */
export function launchChromium(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      ...args,
    ],
    timeout: 60_000,
  });
}

let shared: Promise<Browser> | undefined;

/**
 * The Chromium that all files of tests in this process share; it ends with the process. No name but this machine's own
 * resolves in it. What is opened in it is to be closed.
 */
export function shareChromium(): Promise<Browser> {
  shared ??= launchChromium('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost');
  return shared;
}
