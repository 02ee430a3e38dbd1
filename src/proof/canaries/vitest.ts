import { isTestFile } from '../../shell/file-kinds.ts';
import type { CanaryKind, TestFile } from './canary.ts';
import { isScript, plantScript } from './javascript.ts';

const isImported = ({ text }: Pick<TestFile, 'text'>): boolean => /['"]vitest['"]/.test(text);

export const vitest: CanaryKind = {
  runner: 'vitest',
  isOwn: (file) => isScript(file.path) && isImported(file) && isTestFile(file.path),
  mayBeOwn: ({ path }) => isScript(path) && isTestFile(path),
  plant: (file) =>
    plantScript(file, {
      test: (imports) => (isImported(file) ? imports.one('vitest', 'test') : 'test'),
      expect: (imports) => (isImported(file) ? imports.one('vitest', 'expect') : 'expect'),
    }),
};
