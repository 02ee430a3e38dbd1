import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { startEffects } from '../../src/workspace/helper/client.ts';
import { openGround } from './red-team/ground.ts';
import { tryWhileSwapped } from './red-team/swapped-folder.ts';

test('a folder that is swapped with a link all the time never shows what is outside, at a thousand moments', async () => {
  const effects = startEffects({ host: hostname(), onSpawn: async () => {} });
  onTestFinished(() => effects.close());
  await tryWhileSwapped(await openGround(effects), 110);
  expect.hasAssertions();
});
