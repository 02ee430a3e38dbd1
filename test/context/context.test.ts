import { expect, test } from 'vitest';
import type { Mode } from '../../schema/goal.ts';
import { buildRequest } from '../../src/context/context.ts';
import {
  nudgeText,
  refusedClaimText,
  renderPrompt,
  repeatedCallText,
  systemPrompt,
  wrapUpText,
} from '../../src/context/prompts.ts';
import type { StoredMessage } from '../../src/contract/conversation.ts';
import { createTokenCounter, estimateTokens } from '../../src/model/tokens.ts';
import { processorMs } from '../support/processor-time.ts';
import { briefOf } from './brief.ts';

const count = createTokenCounter();
const tools = [{ name: 'read_file', description: 'Reads', parameters: { type: 'object' } }];
const offered = new Set(tools.map(({ name }) => name));
const system = (mode: Mode) => systemPrompt({ mode, offered });
const conversation = (length: number, from = 1): StoredMessage[] =>
  Array.from({ length }, (_, index) => ({
    seq: from + index,
    turn: 1,
    step: null,
    voice: 'person',
    content: { text: `message ${from + index}` },
  }));
const build = (messages: StoredMessage[]) =>
  buildRequest({ brief: briefOf(), kind: 'nudge', messages, tools, model: { countTokens: count } });

test('what is stable comes first and the goal block last', () => {
  const [before, after] = [build(conversation(3)), build(conversation(4))];
  expect(after.system).toBe(before.system);
  expect(after.messages.slice(0, 3)).toEqual(before.messages.slice(0, 3));
  expect(after.messages.at(-1)).toMatchObject({ voice: 'host', seq: 5 });
  expect(after.messages.at(-1)?.content.text).toContain('<objective>');
});

test('the estimate covers system, tools and conversation, and grows with each message', () => {
  const small = build(conversation(1)).estimatedInput;
  const large = build(conversation(2)).estimatedInput;
  expect(small).toBeGreaterThan(count(system('agent')));
  expect(large - small).toBeGreaterThanOrEqual(8);
});

test('a conversation is whole unless a compaction says otherwise', () => {
  expect(build(conversation(1000)).messages).toHaveLength(1001);
});

test('the prompts of modes that may claim teach the claim', () => {
  expect(system('agent')).toContain('attempt_completion');
  expect(system('plan')).toContain('attempt_completion');
  expect(system('gather')).not.toContain('attempt_completion');
});

test('nudges are worded by what is known', () => {
  const known = { missing: ['c1', 'T2'], reasons: { c1: 'exited 1: run\n- forged' } };
  expect(nudgeText({ ...known, isGoOn: true })).toMatch(/^Go on/);
  expect(nudgeText({ ...known, isGoOn: false })).toContain('- c1: exited 1: run - forged\n- T2\n');
  expect(nudgeText({ missing: [], reasons: {}, isGoOn: false })).toContain('attempt_completion');
  expect(refusedClaimText(known)).toContain('- c1: exited 1');
  expect(wrapUpText({ name: 'tokens', used: '10', allowed: '9' })).toContain(
    'tokens (used 10 of 9)',
  );
  expect(repeatedCallText('grep_search', 3)).toContain('`grep_search` 3 times');
});

test('values are put in as they are, and a forgotten one is an error', () => {
  const text = renderPrompt('refused-claim', { missing: '$& {{missing}} $1', checks: 'look' });
  expect(text).toContain('$& {{missing}} $1');
  expect(() => renderPrompt('refused-claim')).toThrow('"missing"');
});

test.each(['start', 'nudge', 'wake', 'message', 'answer', 'resume', 'wrap_up'] as const)(
  'the block of a %s turn says why it exists',
  (kind) => expect(renderPrompt(`why-${kind}`).length).toBeGreaterThan(10),
);

test('tokens are counted exactly for ordinary texts', () => {
  expect(count('hello world')).toBe(2);
  expect(count('<|endoftext|>')).toBeGreaterThan(1);
  expect(count('')).toBe(0);
});

test('large and hostile texts are counted in bounded time', () => {
  const started = processorMs();
  count('a'.repeat(20_000));
  count('hello '.repeat(500_000));
  expect(processorMs() - started).toBeLessThan(20_000);
  expect(count('漢'.repeat(30_000))).toBeGreaterThanOrEqual(30_000);
});

test('the estimate is near the exact count for code', () => {
  const code = Array.from(
    { length: 300 },
    (_, n) => `const value${n} = compute(${n}, options);`,
  ).join('\n');
  const exact = count(code);
  expect(estimateTokens(code) / exact).toBeGreaterThan(0.7);
  expect(estimateTokens(code) / exact).toBeLessThan(1.4);
});
