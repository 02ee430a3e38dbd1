import type { Page } from 'playwright-core';

/**
 * A browser, or a tab of it alone, that signed in without the page: the cookie, and what the console
 * keeps beside it.
 */
export async function signInBrowser(
  browser: Pick<Page, 'request' | 'addInitScript'>,
  url: string,
  token: string,
): Promise<void> {
  const answer = await browser.request.post(`${url}/v1/session`, { data: { token } });
  const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
  await browser.addInitScript(`localStorage.setItem('goalkeeper.console', '${consoleSecret}')`);
}
