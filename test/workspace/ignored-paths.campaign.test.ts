import { test } from 'vitest';
import { compareWithGit } from './same-ignored.ts';

test('what is ignored is what git ignores, with rules at every level, in many ways', () =>
  compareWithGit(500));
