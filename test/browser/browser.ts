import { AxeBuilder } from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { signInBrowser } from '../../scripts/screens/sign-in.ts';
import { TOKENS } from '../support/goal-world.ts';
import { CHROMIUM, CHROMIUM_PATH, testWith } from '../support/needs.ts';

/** A test that drives a real browser. */
export const test = testWith(CHROMIUM);

export const openBrowser = (): Promise<Browser> =>
  // Tabs of one site share a process, and what it has compiled of the console.
  chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox', '--process-per-site'] });

const WIDTH = 1440;

/** What tests do with a context that the next one of them gets as well. */
export type LentContext = Pick<BrowserContext, 'newPage' | 'grantPermissions' | 'close'>;

export interface SignedIn {
  readonly context: LentContext;
  readonly page: Page;
  /** What the browser itself found wrong: broken policies, failed scripts. */
  readonly complaints: string[];
}

/**
 * A tab that signed in without the page, in a context that knows nobody else: no cookie, nothing
 * stored, no permission. Closed, the context is lent again: a new one compiles the console anew, for
 * more than a second of a processor.
 */
export async function signedIn(
  browser: Browser,
  url: string,
  options: { role?: keyof typeof TOKENS; theme?: 'light' | 'dark'; width?: number } = {},
): Promise<SignedIn> {
  const { role = 'operator', theme = 'light', width = WIDTH } = options;
  const context = browser.contexts().find((one) => returned.delete(one)) ?? (await fresh(browser));
  const page = await context.newPage();
  if (width !== WIDTH) await page.setViewportSize({ width, height: 900 });
  await context.addCookies([{ name: 'goalkeeper_theme', value: theme, url }]);
  await signInBrowser(page, url, TOKENS[role]);
  return { context: lent(context, url), page, complaints: complaintsOf(page) };
}

/** Contexts whose last test closed them. */
const returned = new WeakSet<BrowserContext>();

async function fresh(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(120_000);
  return context;
}

const lent = (context: BrowserContext, url: string): LentContext => ({
  newPage: () => context.newPage(),
  grantPermissions: (permissions) => context.grantPermissions(permissions),
  async close() {
    await forget(context, url);
    returned.add(context);
  },
});

/** One tab stays, of nothing of the console's: it keeps the process of the site. */
async function forget(context: BrowserContext, url: string): Promise<void> {
  const [kept, ...others] = context.pages();
  if (!kept) return;
  await Promise.all(others.map((other) => other.close()));
  if (!kept.url().endsWith(NO_PAGE)) await kept.goto(`${url}${NO_PAGE}`);
  const browser = await context.newCDPSession(kept);
  const { origin } = new URL(url);
  await browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await browser.detach();
  await context.clearCookies();
  await context.clearPermissions();
}

const NO_PAGE = '/healthz';

export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() !== 'error' || isAnswered(message.text()) || url.endsWith(NO_ICON)) return;
    complaints.push(`${message.text()} ${url}`);
  });
  return complaints;
}

/** What a browser asks for beside an answer that is no page, such as the one that signs it in. */
const NO_ICON = '/favicon.ico';

/** Browsers log refusals, too: the pages themselves say what they mean. */
const isAnswered = (text: string): boolean => /status of (400|401|409)/.test(text);

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A theme changes nothing but colours: these are the rules that look at them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Both presses of a double click, before the page is drawn anew; what the page then sends is added. */
export async function pressTwice(page: Page, button: Locator): Promise<readonly string[]> {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET') sent.push(`${request.method()} ${pathname}`);
  });
  await button.evaluate((element) => {
    for (const _ of 'ab') (element as HTMLElement).click();
  });
  return sent;
}

/** No violation in either theme; what has nothing to do with colours is looked at once. */
export async function expectAccessible(page: Page): Promise<void> {
  expectNone(page, await look(page));
  expect(await page.evaluate(LOW), page.url()).toEqual([]);
  const shown = await page.locator('html').getAttribute('data-mantine-color-scheme');
  await colour(page, shown === 'dark' ? 'light' : 'dark');
  expectNone(page, await page.evaluate(lookBy({ type: 'rule', values: COLOUR_RULES })));
  await colour(page, shown);
}

/** Axe lets a low target pass by the room that it happens to have; none is, but in a line of words. */
const LOW = `[...document.querySelectorAll('a[href], button, summary')]
  .filter((target) => target.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((target) => getComputedStyle(target).display !== 'inline')
  .filter((target) => !target.matches('.visually-hidden, .visually-hidden *'))
  .map((target) => [target, target.getBoundingClientRect()])
  .filter(([, { width, height }]) => height > 0 && (height < 23.9 || width < 23.9))
  .map(([{ outerHTML }, { width, height }]) => \`\${width} by \${height}: \${outerHTML}\`)`;

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
