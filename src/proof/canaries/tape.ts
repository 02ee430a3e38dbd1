import { type CanaryKind, type Statement, statementsFor, type TestFile } from './canary.ts';
import { isScript } from './javascript.ts';
import { printedLines } from './printed-lines.ts';

const T: Readonly<Record<string, string>> = {
  ok: 'false',
  equal: '1, 2',
  equals: '1, 2',
  is: '1, 2',
  same: '{ a: 1 }, { a: 2 }',
  deepEqual: '{ a: 1 }, { a: 2 }',
  notEqual: '1, 1',
  throws: '() => {}',
};

const specifierOf = (text: string): string | undefined => /['"](tape|tap)['"]/.exec(text)?.[1];

/** Names its assertions, not its tests, so each canary's message is its name. */
export const tape: CanaryKind = {
  runner: 'tape',
  isOwn: ({ path, text }) => isScript(path) && specifierOf(text) !== undefined,
  plant: (file) => (/\.only\b/.test(file.text) ? null : plantTape(file)),
  printed: printedLines(/^ok \d+ (?:- )?(.*)$/, /^not ok \d+ (?:- )?(.*)$/),
};

function plantTape({ id, text, path }: TestFile) {
  const specifier = specifierOf(text) ?? 'tape';
  const isModule = /\.mjs$/.test(path) || /^\s*import\b(?!\()/m.test(text);
  const load = isModule
    ? `import t${id} from '${specifier}';`
    : `const t${id} = require('${specifier}');`;
  const statements = statementsFor(
    text,
    T,
    ['ok', 'equal'],
    (name, values): Statement => [`t.${name}`, values],
  );
  const names = statements.map((_, index) => `${id} ${index}`);
  const mustPass = `${id} holds`;
  const calls = statements.map(
    ([name, values], index) =>
      `t${id}('${id}', (t) => { ${name}(${values}${name === 't.throws' ? ', undefined' : ''}, '${names[index]}'); t.end(); });`,
  );
  const block = `\n;\n${load}\n${calls.join('\n')}\nt${id}('${id}', (t) => { t.ok(true, '${mustPass}'); t.end(); });\n`;
  return {
    text: text + block,
    bare: block,
    mustFail: new Map(names.map((name, index) => [name, statements[index]?.[0] ?? ''])),
    mustPass,
  };
}
