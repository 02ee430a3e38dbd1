import { test } from 'vitest';
import { compareWithGit } from './same-tree.ts';

test('a small commit is the same tree that git makes of the same changes, in many ways', () =>
  compareWithGit(100));
