import type { CanaryKind } from './canary.ts';
import { printedLines } from './printed-lines.ts';
import { isPython, plantPython, usesUnittest } from './python.ts';

export const unittest: CanaryKind = {
  runner: 'unittest',
  isOwn: () => false,
  mayBeOwn: ({ path, text }) =>
    isPython(path) && usesUnittest(text) && /^\s*(?:async )?def test/m.test(text),
  plant: (file) => plantPython(file, false),
  printed: printedLines(/^(test\w+) \(.*\.\.\. ok$/, /^(?:FAIL|ERROR): (test\w+) \(/),
};
