import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { create } from 'tar';
import { reply } from '../../../demo/script.ts';
import type { Sealed, SealInput } from '../../../schema/sealed.ts';
import type { GoalWorld } from '../../support/goal-world.ts';

/** Nothing but the sealed test holds these. */
export const SECRETS = ['zqxheldout', 'zqxcontent', 'zqxprinted', 'zqxcase'] as const;

/** A project whose visible test asks for less than its sealed one. */
export const SHOP = {
  'package.json':
    '{"name":"shop","main":"src/sum.js","scripts":{"test":"node --test test/*.test.js"}}',
  'src/sum.js': 'exports.sum = () => 0;\n',
  'test/sum.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../src/sum.js');
test('one and two', () => assert.equal(sum(1, 2), 3));
`,
};

export const HELD_OUT = {
  'test/zqxheldout.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('../src/sum.js');
// zqxcontent
console.log('zqxprinted');
test('zqxcase of large numbers', () => assert.equal(sum(20, 22), 42));
test('zqxcase below zero', () => assert.equal(sum(-1, -1), -2));
`,
};

export const RIGHT = 'exports.sum = (a, b) => a + b;\n';
export const HARD_CODED = 'exports.sum = () => 3;\n';

export const writeSum = (content: string) =>
  reply.call('write_file', { path: 'src/sum.js', content });
export const claim = reply.call('attempt_completion', { result: 'It sums.' });

type Check = Partial<Extract<SealInput['criterion'], { kind: 'command' }>>;

export const sealInput = (archive: string, check: Check = {}): SealInput => ({
  criterion: {
    kind: 'command',
    sealed: true,
    name: 'held-out cases',
    description: 'It sums any two numbers.',
    command: 'node --test test/zqxheldout.test.js',
    hint: 'none',
    ...check,
  },
  archive,
});

export async function seal(world: GoalWorld, check: Check = {}): Promise<Sealed> {
  const input = sealInput(await packed(HELD_OUT), check);
  return await world.client.send<Sealed>('POST', '/v1/sealed', input);
}

/** As base64. */
export async function packed(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'goalkeeper-pack-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const bytes = await buffer(create({ cwd: folder, gzip: true }, ['.']) as never);
    return bytes.toString('base64');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
