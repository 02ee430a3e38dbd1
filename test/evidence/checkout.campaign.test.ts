import { test } from 'vitest';
import { temporaryFolder } from '../tools/support.ts';
import { checkOutWhileSwapped } from './swapped-file.ts';

test('BOX-17 a checkout never holds what a link leads to that takes a file’s place, at hundreds of moments', async () =>
  checkOutWhileSwapped(await temporaryFolder(), 300));
