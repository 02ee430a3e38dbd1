import { expect, test } from 'vitest';
import { withCommentsAlone } from '../../../src/proof/canaries/comments-alone.ts';

test.each([
  ['a.ts', 'const a = 1;\n', '// @ts-nocheck\nconst a = 2;\n', '// @ts-nocheck\nconst a = 1;\n'],
  [
    'a.ts',
    'f();\nreturn x;\n',
    'f();\n// @ts-ignore\nreturn y;\n',
    'f();\n// @ts-ignore\nreturn x;\n',
  ],
  [
    'a.js',
    'f(1);\ng();\n',
    'f(1); // eslint-disable-line\ng(2);\n',
    'f(1); // eslint-disable-line\ng();\n',
  ],
  ['a.py', 'import a\nx = 1\n', 'import a  # noqa\nx = 2\n', 'import a  # noqa\nx = 1\n'],
  [
    'a.js',
    'f();\n',
    '/* v8 ignore start */\nf();\n/* v8 ignore stop */\n',
    '/* v8 ignore start */\nf();\n/* v8 ignore stop */\n',
  ],
])('WORD-30: of the work in %s only the comments are there: %j', (path, before, now, alone) => {
  expect(withCommentsAlone(path, before, now)).toBe(alone);
});

test.each([
  ['a.ts', 'const a = 1;\n', 'const a = 2;\n\nconst b = 3;\n'],
  ['a.ts', "const a = 'http://a';\n", "const a = 'http://b';\n"],
  ['a.ts', '// one\nf();\n', 'f();\ng();\n'],
  ['a.py', 'x = "#1"\n', 'x = "#2"\n'],
])('WORD-30: where no comment is new there is nothing to ask: %s %j', (path, before, now) => {
  expect(withCommentsAlone(path, before, now)).toBeNull();
});

test('WORD-40 of a text that is another one as a whole nobody can tell the comments, if it has any', () => {
  const lines = (word: string) =>
    Array.from({ length: 3100 }, (_, at) => `${word}(${at});`).join('\n');
  expect(withCommentsAlone('a.js', lines('old'), lines('other'))).toBe(null);
  const commented = `${lines('other')} // eslint-disable-line`;
  expect(withCommentsAlone('a.js', lines('old'), commented)).toBe(undefined);
});
