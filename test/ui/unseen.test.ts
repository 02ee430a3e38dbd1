import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Fragment, jsx, jsxs } from '../../src/ui/jsx/jsx-runtime.ts';
import { hidesSigns, signsIn, withNames } from '../../src/ui/view/unseen.ts';

const marked = (before: string, name: string, after: string) =>
  `<bdi>${before}<abbr class="unseen" title="A character that can’t be seen">${name}</abbr>${after}</bdi>`;

test.each([
  ['an override', 'rm a\u202Egnp.js', 'rm a<U+202E>gnp.js'],
  ['isolates', '\u2066a\u2069', '<U+2066>a<U+2069>'],
  ['marks of direction', 'a\u200E\u200Fb', 'a<U+200E><U+200F>b'],
  ['what has no width', 'a\u200Bb\uFEFF', 'a<U+200B>b<U+FEFF>'],
  ['controls', '\u0000\u001B[2J\u0085\u007F', '<U+0000><U+001B>[2J<U+0085><U+007F>'],
  ['letters of tags', 'x\u{E0041}', 'x<U+E0041>'],
  ['a return that takes a line back', 'ls\rrm', 'ls<U+000D>rm'],
])('CON-181: %s stands by its name', (_, text, named) => {
  expect(withNames(text)).toBe(named);
  expect(hidesSigns(text)).toBe(true);
});

test.each([
  ['lines and tabs', 'a\n\tb\r\nc'],
  ['scripts and their joiners', 'שלום مرحبا می\u200Cخواهم 👩\u200D👧 目標 é'],
  ['a name that somebody wrote', '<U+202E>'],
])('CON-181: %s stay as they are', (_, text) => {
  expect(withNames(text)).toBe(text);
  expect(signsIn(text)).toEqual([]);
});

test('CON-181: whatever element shows a text shows marks in it, also in attributes and in libraries', () => {
  const text = 'a\u202Eb';
  const shown = marked('a', 'U+202E', 'b');
  const ofLibrary = ({ children }: { children?: unknown }) =>
    jsx('a', { href: '/', children }) as never;
  expect(renderToStaticMarkup(jsx('p', { children: text }))).toBe(`<p>${shown}</p>`);
  expect(renderToStaticMarkup(jsx(Fragment, { children: text }))).toBe(shown);
  expect(renderToStaticMarkup(jsx(ofLibrary, { children: text }))).toContain(shown);
  expect(renderToStaticMarkup(jsxs('p', { children: ['say ', [text, text]] }))).toBe(
    `<p>say ${shown.repeat(2)}</p>`,
  );
  expect(renderToStaticMarkup(jsx('option', { children: text }))).toBe(
    '<option>a&lt;U+202E&gt;b</option>',
  );
  expect(renderToStaticMarkup(jsx('b', { title: text, 'aria-label': text }))).toBe(
    '<b title="a&lt;U+202E&gt;b" aria-label="a&lt;U+202E&gt;b"></b>',
  );
  expect(renderToStaticMarkup(jsx('input', { defaultValue: text }))).toContain(text);
});
