import type { CanaryKind } from './canary.ts';
import { isPython, plantPython } from './python.ts';

export const pytest: CanaryKind = {
  runner: 'pytest',
  isOwn: () => false,
  mayBeOwn: ({ path, text }) =>
    isPython(path) && /^\s*(?:async )?def test|^class \w*Test/m.test(text),
  plant: (file) => plantPython(file, true),
};
