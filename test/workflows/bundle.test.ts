import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Made before the tests, which fails where workflow code imports anything of Node. */
const bundle = readFileSync(process.env.GOALKEEPER_WORKFLOW_BUNDLE ?? '', 'utf8');

const MUTABLE = new Set(['Map', 'WeakMap', 'WeakSet']);

test('workflow code bundles, so it imports nothing of Node', () => {
  expect(bundle).toContain('goalWorkflow');
});

test('zod is not in the workflow bundle, where it would cost every cached goal its memory', () => {
  expect(bundle).not.toContain('node_modules/zod');
  expect(bundle).toContain('node_modules/xstate');
});

test('modules that all goals of a worker share keep no state of their own', () => {
  const shared = ['schema', 'src/contract', 'src/goal', 'workflows'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  expect(shared.length).toBeGreaterThan(100);
  expect(shared.flatMap(stateOf)).toEqual([]);
});

test.each([
  'let last = 0;',
  'export const seen = new Map();',
  'const busy = new WeakSet<object>();',
])('%s would be such state', (text) => expect(stateIn('a.ts', text)).toHaveLength(1));

const stateOf = (file: string): string[] => stateIn(file, readFileSync(file, 'utf8'));

/** Variables of the module that can be set, and collections that can only be meant to be filled. */
function stateIn(file: string, text: string): string[] {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  return statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations
      .filter(({ initializer }) => {
        if (!(declarationList.flags & ts.NodeFlags.Const)) return true;
        return (
          initializer !== undefined &&
          ts.isNewExpression(initializer) &&
          ts.isIdentifier(initializer.expression) &&
          MUTABLE.has(initializer.expression.text) &&
          !initializer.arguments?.length
        );
      })
      .map(({ name }) => `${file}: ${name.getText()}`),
  );
}
