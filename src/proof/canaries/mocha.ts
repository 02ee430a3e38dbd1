import { isTestFile } from '../../shell/file-kinds.ts';
import type { CanaryKind } from './canary.ts';
import { isScript, plantScript } from './javascript.ts';
import { printedLines } from './printed-lines.ts';

export const mocha: CanaryKind = {
  runner: 'mocha',
  isOwn: () => false,
  mayBeOwn: ({ path, text }) =>
    isScript(path) && isTestFile(path) && /\b(?:describe|it|suite|test)\s*\(/.test(text),
  plant: (file) => plantScript(file, { test: () => "(typeof it === 'function' ? it : test)" }),
  printed: printedLines(/^\s*[✓✔√] +(.*?)(?: \(\d+ms\))?$/, /^\s*\d+\) +(.*)$/),
};
