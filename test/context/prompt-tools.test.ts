import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mode } from '../../schema/goal.ts';
import { renderGoalBlock } from '../../src/context/goal-block.ts';
import {
  nudgeText,
  refusedClaimText,
  renderPrompt,
  repeatedCallText,
  systemPrompt,
} from '../../src/context/prompts.ts';
import { resultOfOpenCall } from '../../src/record/decision/closed-call.ts';
import { builtInTools } from '../../src/tools/built-in.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { hostTextFor } from '../../src/turn/turn-text.ts';
import { claimFacts, makeFacts, settle } from '../goal/turn-facts.ts';
import { briefOf } from './brief.ts';

/** What an operator's file may take away (`tools:` of schema/service-rules.ts). */
const ELECTIVE = ['continue_work', 'wait_for', 'delegate'];
const NAMES = builtInTools.map(({ name }) => name);
const KINDS = ['start', 'nudge', 'wake', 'resume'] as const;

/** A name that is a common word as well counts where it is marked as a name. */
const mentioned = (text: string): string[] =>
  NAMES.filter((name) =>
    (name.includes('_') ? new RegExp(`\\b${name}\\b`) : new RegExp(`\`${name}\``)).test(text),
  );

/** Tokens stand for calls. */
const tokensFor: Readonly<Record<string, string>> = {
  CONTINUE_WORK: 'continue_work',
  CONTINUE_DELEGATE: 'delegate',
  '`DONE`': 'attempt_completion',
};

function promptsOf(mode: Mode, withheld: readonly string[], hasTextTokens: boolean) {
  const tools = createRegistry(builtInTools.filter(({ name }) => !withheld.includes(name)));
  const declared = tools.declarations(mode);
  const offered = new Set(declared.map(({ name }) => name));
  const known = { missing: ['c1'], reasons: {}, mode };
  const system = systemPrompt({ mode, offered, hasTextTokens });
  const claims = mode === 'gather' ? [] : [nudgeText({ ...known, isGoOn: false })];
  const texts = [
    system,
    ...claims,
    ...(mode === 'gather' ? [] : [nudgeText({ ...known, missing: [], isGoOn: false })]),
    ...(mode === 'gather' ? [] : [refusedClaimText(known)]),
    nudgeText({ ...known, isGoOn: true }),
    repeatedCallText('read_file', 3),
    renderPrompt('compacted', { through: '1', left: '', author: '', notes: '' }),
    ...KINDS.map((kind) => hostTextFor(briefOf({ mode }), kind, 2) ?? ''),
    hostTextFor(briefOf({ mode, plannedBy: 'g-1' }), 'start', 2) ?? '',
    renderGoalBlock(briefOf({ mode, todos: { revision: 0, items: [] } }), 'start'),
    ...declared.map((tool) => JSON.stringify(tool).replace(`"name":"${tool.name}"`, '')),
  ];
  return { offered, texts, system, claims };
}

test('no prompt speaks of a tool, or of a token for one, that the goal is not offered', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Mode>('agent', 'plan', 'gather'),
      fc.subarray(ELECTIVE),
      fc.boolean(),
      (mode, withheld, hasTextTokens) => {
        const { offered, texts, system } = promptsOf(mode, withheld, hasTextTokens);
        for (const text of texts)
          expect({ text, unknown: mentioned(text).filter((name) => !offered.has(name)) }).toEqual({
            text,
            unknown: [],
          });
        for (const [token, name] of Object.entries(tokensFor))
          expect(system.includes(token) && !offered.has(name)).toBe(false);
        expect(texts.join('\n')).not.toMatch(/\{\{/);
      },
    ),
  );
});

test('C19 whatever speaks of a claim teaches its order: read back, diagnostics, tests, claim', () => {
  const order = /read back.*?get_diagnostics.*?tests.*?(attempt_completion|claim)/s;
  const { system, claims } = promptsOf('agent', [], true);
  const decided = settle({ facts: makeFacts({ toolCalls: 1 }) });
  const refused = resultOfOpenCall(claimFacts(), { ...decided, missing: ['c1'] });
  for (const text of [system, ...claims, refused.text]) expect(text).toMatch(order);
  const [token = ''] = /`DONE`[^\n]*/.exec(system) ?? [];
  expect(token).toMatch(/read back.*get_diagnostics.*tests.*only then/);
  const claim = builtInTools.find(({ name }) => name === 'attempt_completion');
  expect(claim?.description).toMatch(/read back.*diagnostics.*tests.*then claim/);
});
