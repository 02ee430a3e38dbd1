import { test } from 'vitest';
import { goThrough } from './many-files.ts';

test('a tree of thousands of files is looked at, kept, searched and taken back', () =>
  goThrough(2500));
