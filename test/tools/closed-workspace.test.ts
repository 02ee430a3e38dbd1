import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startEffects } from '../../src/workspace/helper/client.ts';
import { ROOT, testWith } from '../support/needs.ts';
import { registry } from './red-team/ground.ts';
import { temporaryFolder, testContext } from './support.ts';

const SOMEBODY = 65_534;

testWith(ROOT)(
  "BOX-19 root's worker lists and searches a workspace that only its owner may enter",
  async () => {
    const folder = await temporaryFolder();
    writeFileSync(join(folder, 'note.txt'), 'a needle\n');
    for (const path of [folder, join(folder, 'note.txt')]) chownSync(path, SOMEBODY, SOMEBODY);
    chmodSync(folder, 0o700);
    const effects = startEffects({ host: hostname(), onSpawn: async () => {} });
    onTestFinished(() => effects.close());
    const call = async (name: string, input: object) => {
      const parsed = await registry.parse(name, JSON.stringify(input));
      if (!parsed.ok) throw new Error(parsed.message);
      return (await registry.find(name)?.run(parsed.args, testContext(folder, effects), undefined))
        ?.text;
    };
    expect(await call('list_files', {})).toBe('note.txt');
    expect(await call('grep_search', { pattern: 'needle' })).toBe('note.txt:1:a needle');
  },
);
