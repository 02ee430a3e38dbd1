import type { BrowserContext } from 'playwright-core';

/** A browser that signed in without the page: the cookie, and what the console keeps beside it. */
export async function signInBrowser(
  context: BrowserContext,
  url: string,
  token: string,
): Promise<void> {
  const answer = await context.request.post(`${url}/v1/session`, { data: { token } });
  const { consoleSecret } = (await answer.json()) as { consoleSecret: string };
  await context.addInitScript(`localStorage.setItem('goalkeeper.console', '${consoleSecret}')`);
}
