import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { signInBrowser } from './sign-in.ts';

export interface Shot {
  readonly name: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height?: number;
  /** What has to be there before the picture is taken. */
  readonly until: string;
  readonly before?: (page: Page) => Promise<void>;
}

/** A picture of one view, as somebody who signed in sees it. */
export async function shoot(
  browser: Browser,
  service: { readonly url: string; readonly token: string; readonly folder: string },
  { name, path, theme, width, height = width > 720 ? 900 : 844, until, before }: Shot,
): Promise<void> {
  const { url, token, folder } = service;
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  try {
    await context.addCookies([{ name: 'goalkeeper_theme', value: theme, url }]);
    if (token !== '') await signInBrowser(context, url, token);
    const page = await context.newPage();
    await page.goto(url + path);
    await page.locator(until).first().waitFor();
    await before?.(page);
    await page.evaluate(`(${nameless})(${JSON.stringify(hostname())})`);
    await writeFile(`${folder}/${name}.webp`, await webp(page));
  } finally {
    await context.close();
  }
}

/** A third of what a PNG of the same view takes. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  return Buffer.from(data, 'base64');
}

/** The machine that made the picture has no place in it. Runs in the page. */
const nameless = `(host) => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
    if (node.data.includes(host)) node.data = node.data.replaceAll(host, 'alpha');
  }
}`;
