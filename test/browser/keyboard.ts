import type { Page } from 'playwright-core';

/** Presses keys, and remembers by which words of the sheet. */
export function createKeyboard(page: Page) {
  const pressed = new Set<string>();
  return {
    pressed,
    async press(shown: string, ...keys: readonly string[]) {
      pressed.add(shown);
      for (const key of keys) await page.keyboard.press(key);
    },
  };
}

/** What the sheet shows while it is open. */
export const keysOnSheet = (page: Page): Promise<string[]> =>
  page.locator('.key-list kbd').allTextContents();

/** Without loading anything anew, as a link of the page itself leads there. */
export const goTo = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);

/** Waits until an item of the inbox is drawn with its answers: while it loads, no key answers it. */
export async function answerable(page: Page, heading: string | RegExp): Promise<void> {
  const item = page.locator('.inbox-item');
  await item.getByRole('heading', { name: heading }).waitFor();
  await item.locator('.inbox-options, .inbox-answers button').first().waitFor();
}
