import { test } from 'vitest';
import { goThrough } from './many-files.ts';

/** 100,000 is the most that a checkpoint holds. */
const FILES = Number(process.env.GOALKEEPER_MANY_FILES ?? 10_000);

test(`a tree of ${FILES} files is looked at, kept, searched and taken back`, () =>
  goThrough(FILES));
