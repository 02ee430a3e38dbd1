import { appendFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { builtInTools } from '../../src/tools/built-in.ts';

interface ShownText {
  readonly text: string;
  /** Read aloud or shown on a hover only. */
  readonly isName: boolean;
}

/** Commands, paths, ids, outputs, what is typed and what Temporal says: not the console's own words. */
const QUOTED = 'code, pre, kbd, textarea, .mono, .from-temporal';

/** Stands for what is quoted inside of a sentence. */
const QUOTE = '`…`';

/** Each text that can be seen, and each name, hint and title that is read aloud. */
export const shownTexts = (page: Page): Promise<readonly ShownText[]> =>
  page.evaluate(
    ([quoted, quote]) => {
      const found = new Map<string, ShownText>();
      const add = (text: string | null, isName: boolean) => {
        const words = (text ?? '')
          .replace(/\s+/g, (gap) => (gap.includes('\n') ? ' ' : gap))
          .trim();
        if (words !== '' && words !== quote)
          found.set(`${isName} ${words}`, { text: words, isName });
      };
      const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;
      const speaks = (element: Element) =>
        [...element.childNodes].some((node) => isText(node) && node.data.trim() !== '');
      const words = (element: Element): string =>
        [...element.childNodes]
          .map((node) => {
            if (isText(node)) return node.data;
            if (!(node instanceof Element) || !node.checkVisibility()) return '';
            return node.matches(quoted) ? quote : words(node);
          })
          .join('');
      for (const element of document.body.querySelectorAll('*')) {
        if (element.matches('script, style') || !element.checkVisibility()) continue;
        const isQuoted = element.closest(quoted) !== null;
        for (const name of ['aria-label', 'alt', 'placeholder', 'aria-valuetext'])
          add(element.getAttribute(name), true);
        // What is quoted and cut off stands in full in its title.
        if (!isQuoted) add(element.getAttribute('title'), true);
        const isPart = element.parentElement !== null && speaks(element.parentElement);
        if (!speaks(element) || isPart || isQuoted) continue;
        add(words(element), false);
      }
      add(document.title, true);
      return [...found.values()];
    },
    [QUOTED, QUOTE] as const,
  );

/** Tools have their names wherever they are told. */
const TOOLS = new RegExp(`\\b(${builtInTools.map(({ name }) => name).join('|')})\\b`, 'g');

/** What no text of the console's own holds, and why. */
const RULES: readonly (readonly [why: string, pattern: RegExp])[] = [
  ['a value that is none', /\b(undefined|NaN|Invalid Date)\b|\[object \w+\]|\$\{/],
  ['a name out of the code', /(?<![\w./*-])[a-z]+(_[a-z]+)+(?![\w./*(-])/],
  ['a time for programs', /\d{4}-\d\d-\d\dT\d\d:\d\d/],
  ['a mark that stands alone or twice', /\s[,;:](\s|$)|,,|;;|::|(?<!\.)\.\.(?!\.)|\. \./],
];

/** The texts of a page that a rule forbids, each with the rule. */
export async function wrongTexts(page: Page): Promise<string[]> {
  const texts = await shownTexts(page);
  const file = process.env.GOALKEEPER_TEST_TEXTS;
  if (file !== undefined) {
    const { pathname } = new URL(page.url());
    const lines = texts.map(({ text, isName }) => JSON.stringify({ pathname, text, isName }));
    await appendFile(file, `${lines.join('\n')}\n`);
  }
  return RULES.flatMap(([why, pattern]) =>
    texts
      .filter(({ text }) => pattern.test(text.replaceAll(TOOLS, QUOTE)))
      .map(({ text }) => `${why}: ${text}`),
  );
}
