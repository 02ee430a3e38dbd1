import type { CanaryKind } from './canary.ts';
import { isScript, plantScript } from './javascript.ts';

export const nodeTest: CanaryKind = {
  runner: 'node:test',
  isOwn: ({ path, text }) => isScript(path) && /['"]node:test['"]/.test(text),
  plant: (file) => plantScript(file, { test: (imports) => imports.one('node:test', 'test') }),
};
