import { isTestFile } from '../../shell/file-kinds.ts';
import type { CanaryKind, TestFile } from './canary.ts';
import { isScript, plantScript } from './javascript.ts';

const isImported = ({ text }: Pick<TestFile, 'text'>): boolean =>
  /['"]@jest\/globals['"]/.test(text);

export const jest: CanaryKind = {
  runner: 'jest',
  isOwn: (file) => isScript(file.path) && isImported(file),
  mayBeOwn: ({ path }) => isScript(path) && isTestFile(path),
  plant: (file) =>
    plantScript(file, {
      test: (imports) => (isImported(file) ? imports.one('@jest/globals', 'test') : 'test'),
      expect: (imports) => (isImported(file) ? imports.one('@jest/globals', 'expect') : 'expect'),
    }),
};
