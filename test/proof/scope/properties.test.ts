import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopeInputSchema } from '../../../schema/scope.ts';
import { inferScope } from '../../../src/proof/scope/infer-scope.ts';
import { isJudgeLike } from '../../../src/proof/scope/judge-like.ts';
import { isInScope } from '../../../src/proof/scope/scope.ts';
import { processorMs } from '../../support/processor-time.ts';
import { type Files, infer, projects } from './projects.ts';

const project = fc.constantFrom(...projects.map(({ files }) => files));
const folder = fc.constantFrom(
  '',
  'src',
  'lib',
  'test',
  'packages/core/src',
  'calc',
  'a b',
  '[id]',
);
const name = fc.constantFrom(
  'sum',
  'sum.test',
  'test_sum',
  'index',
  'package',
  'vite.config',
  '(x){y}!',
  "it's",
  'a,b',
  '$x',
  'new\nline',
  ' blank ',
  'q?*',
  'back\\slash',
  '@(a|b)',
  '+1',
  'ä☃',
  '-rf',
);
const extension = fc.constantFrom('ts', 'js', 'py', 'go', 'rs', 'c', 'json', 'snap', '');
const path = fc
  .tuple(folder, name, extension)
  .map(([at, stem, end]) => `${at}${at && '/'}${stem}${end && '.'}${end}`);
/** A realistic tree with files of any name in it, some of which a criterion names. */
const tree = fc
  .tuple(project, fc.dictionary(path, fc.constantFrom('', "import './sum'"), { maxKeys: 8 }))
  .map(([files, more]): Files => ({ ...files, ...more }));
const commands = fc.array(
  path.map((one) => `node '${one}'`),
  { maxLength: 2 },
);
const globs = fc.array(
  fc.oneof(path, fc.constantFrom('src/**', '**', 'test/**', 'src', '*.json', '{src,test}/**')),
  { maxLength: 4 },
);

test('a file that looks like the judge’s is never in an inferred scope', () => {
  fc.assert(
    fc.property(tree, commands, path, (files, lines, fresh) => {
      const scope = infer(files, lines);
      const inside = [...Object.keys(files), fresh].filter((one) => isInScope(scope, one));
      expect(inside.filter(isJudgeLike)).toEqual([]);
    }),
  );
});

test('an inferred scope can be given again as it is, whatever signs are in its paths', () => {
  fc.assert(
    fc.property(tree, commands, (files, lines) => {
      const { change, keep } = infer(files, lines);
      if (change.length === 0) return;
      expect(scopeInputSchema.parse({ change, keep })).toEqual({ change, keep });
    }),
  );
});

test('each file that an inferred scope names is a file of the tree', () => {
  fc.assert(
    fc.property(tree, commands, (files, lines) => {
      const { change } = infer(files, lines);
      const exact = change.filter((glob) => !glob.includes('*.'));
      const all = Object.keys(files);
      expect(
        exact.filter((glob) => !all.some((one) => isInScope({ change: [glob], keep: [] }, one))),
      ).toEqual([]);
    }),
  );
});

test('what is inferred does not depend on the order of files, and is the same each time', () => {
  fc.assert(
    fc.property(tree, commands, fc.infiniteStream(fc.nat()), (files, lines, order) => {
      const ranked = Object.keys(files).map((one) => [order.next().value ?? 0, one] as const);
      const paths = ranked.sort(([left], [right]) => left - right).map(([, one]) => one);
      const read = (one: string) => files[one] ?? null;
      const shuffled = inferScope({ paths, read, commands: lines });
      expect(shuffled).toEqual(infer(files, lines));
    }),
  );
});

test('keep always wins, and one glob more of it never widens a scope', () => {
  fc.assert(
    fc.property(globs, globs, path, path, (change, keep, more, one) => {
      const isIn = isInScope({ change, keep }, one);
      const isInStill = isInScope({ change, keep: [...keep, more] }, one);
      expect(isInStill && !isIn).toBe(false);
      expect(isInScope({ change, keep: ['**'] }, one)).toBe(false);
      expect(isInScope({ change: ['**', one], keep: [one] }, one)).toBe(false);
    }),
  );
});

test('one glob more of change never narrows a scope', () => {
  fc.assert(
    fc.property(globs, globs, path, path, (change, keep, more, one) => {
      const isIn = isInScope({ change, keep }, one);
      expect(isIn && !isInScope({ change: [...change, more], keep }, one)).toBe(false);
    }),
  );
});

test('text of any shape is followed in a moment', { timeout: 60_000 }, () => {
  const evil = [
    '/*',
    'import ',
    'from\t',
    '"',
    '(',
    'packages = ',
    'a\\\n',
    'x: ',
    '=> ',
    '${',
    '<script ',
  ];
  for (const part of evil) {
    const text = part.repeat(20_000);
    const files = Object.fromEntries(
      [
        'package.json',
        'pyproject.toml',
        'setup.py',
        'Makefile',
        'go.mod',
        'Cargo.toml',
        'pom.xml',
        'index.html',
        'index.js',
        'main.py',
        'main.c',
        'src/lib.rs',
        'pnpm-workspace.yaml',
        'jest.config.js',
      ].map((one) => [one, text]),
    );
    const began = processorMs();
    infer(files, [`make ${part.repeat(100)}`]);
    expect([part, processorMs() - began < 5000]).toEqual([part, true]);
  }
});
