import { expect, test } from 'vitest';
import type { Criterion } from '../../schema/criteria.ts';
import { describeCriterion } from '../../src/record/criterion-text.ts';

test.each<[Criterion, string]>([
  [{ kind: 'command', command: 'make' }, 'the host runs `make`, expects exit 0'],
  [
    { kind: 'command', command: 'make', cwd: 'lib', expectExit: 2 },
    'the host runs `make` in lib, expects exit 2',
  ],
  [
    { kind: 'command', command: 'make', check: 'clean' },
    'the host runs `make`, expects exit 0, in a fresh checkout',
  ],
  [
    { kind: 'command', command: 'make', check: 'clean', setup: 'npm ci' },
    'the host runs `make`, expects exit 0, in a fresh checkout after `npm ci`',
  ],
  [
    { kind: 'command', command: 'make', check: 'receipt' },
    'you run `make`, expects exit 0, with run_command and after the last change of any file',
  ],
  [
    { kind: 'command', command: 'make', check: 'receipt', scope: ['a', 'b'] },
    'you run `make`, expects exit 0, with run_command and after the last change to a, b',
  ],
  [{ kind: 'file', path: 'a', protect: true }, 'a stays unchanged'],
  [{ kind: 'file', path: 'a', matches: 'x+' }, 'a matches /x+/'],
  [{ kind: 'file', path: 'a', exists: true }, 'a exists'],
  [{ kind: 'file', path: 'a', exists: false }, 'a does not exist'],
  [{ kind: 'git' }, 'the change is committed'],
  [
    { kind: 'git', branch: 'x', allowedPaths: ['a', 'b'], clean: true },
    'the change is committed on x, only in a, b, with no stray files',
  ],
  [{ kind: 'diagnostics' }, 'no diagnostics errors'],
  [{ kind: 'diagnostics', paths: ['a', 'b'] }, 'no diagnostics errors in a, b'],
  [{ kind: 'review', rubric: 'It is short.' }, 'a reviewer agrees: It is short.'],
  [{ kind: 'approval', question: 'Good?' }, 'a person approves: Good?'],
])('%j reads as one line', (criterion, line) => {
  expect(describeCriterion(criterion)).toBe(line);
});
