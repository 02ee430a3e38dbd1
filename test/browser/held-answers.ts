import type { Page, Route } from 'playwright-core';

/** Answers of the service that are kept back, until they are made to fail or let through. */
export async function holdAnswers(page: Page, asked: RegExp) {
  const held: Route[] = [];
  let isFailing = false;
  const fail = (route: Route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      headers: { 'x-request-id': 'held-1' },
      body: JSON.stringify({ status: 500, code: 'internal', detail: 'Something broke there.' }),
    });
  await page.route(asked, async (route) => {
    if (isFailing) await fail(route);
    else held.push(route);
  });
  return {
    async fail() {
      isFailing = true;
      await Promise.all(held.map(fail));
    },
    letGo: () => page.unroute(asked),
  };
}
