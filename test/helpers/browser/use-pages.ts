import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import { shareChromium } from './chromium.ts';

/** A page in a context of its own, and what went wrong on it: errors, refusals of the policy, requests to elsewhere. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: string[];
  readonly origins: Set<string>;
}

export const VIEWPORT = { width: 1400, height: 860 };
export type Look = Parameters<Browser['newContext']>[0];

/** Returns what opens a page in the shared Chromium; all of them are closed after the test. */
export function usePages(): (look?: Look) => Promise<Watched> {
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  return async (look = {}) => {
    const context = await (await shareChromium()).newContext({ viewport: VIEWPORT, ...look });
    contexts.push(context);
    const page = await context.newPage();
    const faults: string[] = [];
    const origins = new Set<string>();
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (one) => origins.add(new URL(one.url()).origin));
    return { page, context, faults, origins };
  };
}
