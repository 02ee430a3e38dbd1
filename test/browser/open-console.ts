import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { openBrowser } from './browser.ts';
import { builtConsole } from './built-console.ts';

interface Opened<World> {
  readonly world: World;
  readonly browser: Browser;
}

/** The console of the present sources on a world of its own, and a browser, for a file's tests. */
export function openConsole<World extends { close(): Promise<void> }>(
  openWorld: () => Promise<World>,
  take: (opened: Opened<World>) => unknown,
): void {
  let world: World | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    await builtConsole();
    await Promise.all([
      openWorld().then((opened) => {
        world = opened;
      }),
      openBrowser().then((opened) => {
        browser = opened;
      }),
    ]);
    if (world !== undefined && browser !== undefined) await take({ world, browser });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
}
