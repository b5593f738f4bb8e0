import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Whether Debian's Chromium is there; tests that need it are skipped, saying so, where it is not. */
export const hasChromium = existsSync(CHROMIUM);

/** A headless Chromium that asks for nothing by itself. @param args further arguments of its command line */
export function launchChromium(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
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
