import { chromium, type Page } from 'playwright-core';
import { signInBrowser } from '../scripts/screens/sign-in.ts';
import { median, round } from './statistics.ts';
import type { World } from './world.ts';

const LOADS = 7;

/** How the goals' page comes up in a browser that has nothing of it yet, with all goals of the world. */
export async function measureConsoleStart({ url, config }: World): Promise<Record<string, number>> {
  const browser = await chromium.launch({
    executablePath: process.env.GOALKEEPER_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const times: number[] = [];
    let bytes = 0;
    for (let load = 0; load < LOADS; load += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await signInBrowser(context, url, config.tokens[0]?.token ?? '');
      const page = await context.newPage();
      const sizes = scriptSizes(page);
      await page.goto(`${url}/goals`);
      // A row that answers to a key: what is on the page works.
      await page.locator('.goal-row').first().waitFor();
      times.push(await page.evaluate<number>('performance.now()'));
      bytes = sizes.reduce((sum, size) => sum + size, 0);
      await context.close();
    }
    return {
      'first page JavaScript, KB gzipped': round(bytes / 1000),
      'navigation to rows of 2000 goals, median ms': round(median(times)),
      'navigation to rows of 2000 goals, longest ms': round(Math.max(...times)),
    };
  } finally {
    await browser.close();
  }
}

/** As they came over the wire. */
function scriptSizes(page: Page): number[] {
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) {
      sizes.push(Number(response.headers()['content-length'] ?? 0));
    }
  });
  return sizes;
}
