import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { TOKENS } from '../support/goal-world.ts';

const EXECUTABLE = process.env.GOALKEEPER_TEST_CHROMIUM ?? '/usr/bin/chromium';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });

export interface SignedIn {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the browser itself found wrong: broken policies, failed scripts. */
  readonly complaints: string[];
}

/** A browser of its own that signed in without the page. */
export async function signedIn(
  browser: Browser,
  url: string,
  options: { role?: keyof typeof TOKENS; theme?: 'light' | 'dark'; width?: number } = {},
): Promise<SignedIn> {
  const { role = 'operator', theme = 'light', width = 1440 } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.addCookies([{ name: 'goalkeeper_theme', value: theme, url }]);
  await context.request.post(`${url}/v1/session`, { data: { token: TOKENS[role] } });
  const page = await context.newPage();
  return { context, page, complaints: complaintsOf(page) };
}

export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error' || isAnswered(message.text())) return;
    complaints.push(message.text());
  });
  return complaints;
}

/** Browsers log refusals, too: the pages themselves say what they mean. */
const isAnswered = (text: string): boolean => /status of (401|409)/.test(text);

/** No violation, in words that say where. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
  expect(found, page.url()).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(over, page.url()).toBe(0);
}

/** For people to look at, where the environment names a folder for them. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.GOALKEEPER_TEST_PICTURES;
  if (folder === undefined) return;
  await page.screenshot({ path: `${folder}/${name.replace(/[^a-z0-9]+/gi, '-')}.png` });
}
