import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { signedIn, test } from './browser.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { answerable } from './keyboard.ts';
import { openConsole } from './open-console.ts';

let world: ConsoleWorld;
let browser: Browser;
openConsole(openConsoleWorld, (opened) => {
  ({ world, browser } = opened);
});

const MOST_PRESSES = 60;

/** Every key but those that type a text. */
function countedKeys(page: Page) {
  let presses = 0;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      presses += 1;
      await page.keyboard.press(key);
    }
  };
  return {
    press,
    presses: () => presses,
    /** By the tabulator, as somebody without a mouse gets there. */
    async tabTo(target: Locator) {
      await target.waitFor();
      while (!(await target.evaluate((element) => element.matches(':focus')))) {
        expect(presses).toBeLessThan(MOST_PRESSES);
        await press('Tab');
      }
    },
  };
}

test('CON-69: a goal is started, watched, inspected, answered, approved and its proof read by at most 60 key presses beyond typing', async () => {
  const workspace = await world.workspace({
    'package.json': '{"scripts":{"test":"exit 1"}}\n',
    'src/index.js': 'export {};\n',
  });
  const { page, context, complaints } = await signedIn(browser, world.url);
  const { press, presses, tabTo } = countedKeys(page);
  await page.goto(`${world.url}/goals`);
  await page.locator('#main').waitFor();

  await press('n');
  await tabTo(page.getByLabel('Objective'));
  await page.keyboard.type('Journey by keys');
  await tabTo(page.getByLabel('Criterion 1', { exact: true }));
  await press('Control+a');
  await page.keyboard.type('test -f src/answer.js');
  await tabTo(page.getByLabel('Workspace'));
  await page.keyboard.type(workspace);
  await press('Enter');
  await page.getByRole('heading', { name: 'Journey by keys' }).waitFor();
  const goalId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByText('Who owns “queue lag”?').first().waitFor();

  await press('Control+k');
  await page.getByRole('combobox', { name: 'Do or jump to' }).waitFor();
  await page.keyboard.type('calls of turn 1');
  await page
    .locator('.palette-entry[aria-selected="true"]')
    .filter({ hasText: 'Model calls of turn 1' })
    .waitFor();
  await press('Enter');
  await page.getByText('First token').waitFor();
  await press('k');

  await press('g', 'i');
  await answerable(page, /Who owns “queue lag”/);
  await press('1');
  await world.until(goalId, ({ activity }) => activity.on === 'approval');
  await answerable(page, 'Run rm -rf src');
  await press('y');
  await world.until(goalId, ({ status }) => status === 'complete');

  await press('Control+k');
  await page.getByRole('combobox', { name: 'Do or jump to' }).waitFor();
  await page.keyboard.type('journey by keys');
  await page
    .locator('.palette-entry[aria-selected="true"]')
    .filter({ hasText: 'Journey by keys' })
    .waitFor();
  await press('Enter');
  await page.getByRole('heading', { name: 'Journey by keys' }).waitFor();
  await press('4');
  await page.locator('.proof-page').waitFor();
  expect(presses()).toBeLessThanOrEqual(MOST_PRESSES);
  expect(complaints).toEqual([]);
  await context.close();
});
