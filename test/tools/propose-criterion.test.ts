import { expect, test } from 'vitest';
import type { Criterion } from '../../schema/criteria.ts';
import { builtInTools } from '../../src/tools/built-in.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import type { ToolContext, ToolResult } from '../../src/tools/tool.ts';
import { temporaryFolder, testContext, testEffects } from './support.ts';

const registry = createRegistry(builtInTools);

async function propose(input: object, change: Partial<ToolContext> = {}): Promise<ToolResult> {
  const parsed = await registry.parse('propose_criterion', JSON.stringify(input));
  if (!parsed.ok) throw new Error(parsed.message);
  const context = { ...testContext(await temporaryFolder(), testEffects().effects), ...change };
  const tool = registry.find('propose_criterion');
  if (tool === undefined) throw new Error('there is no such tool');
  return tool.run(parsed.args, context, undefined);
}

const lint: Criterion = { kind: 'command', command: 'npm run lint' };

test('a proposal is handed on as the criterion that it is', async () => {
  expect(await propose(lint)).toMatchObject({ outcome: 'succeeded', proposal: lint });
  const question: Criterion = { kind: 'approval', question: 'Is the wording right?' };
  expect((await propose(question)).proposal).toEqual(question);
});

test('providers are shown one object, in which only the kind is required', () => {
  const declared = registry
    .declarations('agent')
    .find(({ name }) => name === 'propose_criterion')?.parameters;
  expect(declared).toMatchObject({ type: 'object', required: ['kind'] });
  expect(Object.keys(declared?.properties as object)).toEqual(
    expect.arrayContaining(['command', 'question', 'path', 'rubric']),
  );
});

test('one that lacks a field of its kind, or has one of another, fails with that field', async () => {
  const lacking = await propose({ kind: 'command' });
  expect(lacking).toMatchObject({ outcome: 'failed' });
  expect(lacking.text).toContain('command');
  expect((await propose({ ...lint, question: 'Good?' })).outcome).toBe('failed');
});

const TOKEN = `ghp_${'Zx9Yw8Vu'.repeat(5)}`;

test('one with a secret in it could never be met, and is refused with its field and a way out', async () => {
  for (const given of [
    { kind: 'command', command: `curl -H 'x: ${TOKEN}' localhost` },
    { kind: 'command', command: 'make', check: 'receipt', scope: [`src/${TOKEN}`] },
    { kind: 'file', path: 'key.txt', matches: TOKEN },
  ]) {
    const field = Object.entries(given).find(([, value]) => String(value).includes(TOKEN))?.[0];
    const { outcome, text, proposal } = await propose(given);
    expect({ outcome, proposal }).toEqual({ outcome: 'refused', proposal: undefined });
    expect(text).toMatch(new RegExp(`^Refused: ${field}: it holds a secret.*from a file`));
    expect(text).not.toContain(TOKEN);
  }
});

test('one that proves nothing, is there already, or is one too many is refused', async () => {
  expect((await propose({ kind: 'command', command: 'npm test || true' })).outcome).toBe('refused');
  expect((await propose(lint, { criteria: [lint] })).text).toContain('already');
  expect((await propose(lint, { openProposals: async () => [lint] })).text).toContain('already');
  const other: Criterion = { kind: 'command', command: 'npm test' };
  const full = { openProposals: async () => [other], maxOpenProposals: 1 };
  expect(await propose(lint, full)).toMatchObject({ outcome: 'refused' });
  expect((await propose(lint, full)).proposal).toBeUndefined();
});
