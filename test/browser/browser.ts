import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { signInBrowser } from '../../scripts/screens/sign-in.ts';
import { TOKENS } from '../support/goal-world.ts';
import { CHROMIUM, CHROMIUM_PATH, testWith } from '../support/needs.ts';

/** A test that drives a real browser. */
export const test = testWith(CHROMIUM);

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] });

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
  context.setDefaultTimeout(120_000);
  await context.addCookies([{ name: 'goalkeeper_theme', value: theme, url }]);
  await signInBrowser(context, url, TOKENS[role]);
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
const isAnswered = (text: string): boolean => /status of (400|401|409)/.test(text);

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A theme changes nothing but colours: these are the rules that look at them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** No violation in either theme; what has nothing to do with colours is looked at once. */
export async function expectAccessible(page: Page): Promise<void> {
  expectNone(page, await look(page));
  const shown = await page.locator('html').getAttribute('data-mantine-color-scheme');
  await colour(page, shown === 'dark' ? 'light' : 'dark');
  expectNone(page, await page.evaluate(lookBy({ type: 'rule', values: COLOUR_RULES })));
  await colour(page, shown);
}

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** A page keeps axe, half a megabyte of text, until another one is loaded. */
async function look(page: Page): Promise<Violations> {
  if (await page.evaluate('"axe" in globalThis'))
    return await page.evaluate(lookBy({ type: 'tag', values: TAGS }));
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    // Without frames from elsewhere there is nothing that a page of its own would have to gather.
    .setLegacyMode()
    .withTags(TAGS)
    .analyze();
  return violations;
}

const lookBy = (runOnly: object): string =>
  `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})
    .then(({ violations }) => violations)`;

const colour = (page: Page, theme: string | null): Promise<unknown> =>
  page.evaluate(`document.documentElement.dataset.mantineColorScheme = '${theme}'`);

/** In words that say where. */
function expectNone(page: Page, violations: Violations): void {
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
