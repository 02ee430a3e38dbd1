import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stageOf } from '../../../schema/ladder.ts';
import type { Decision, DecisionInput, NumberedDecision } from '../../../src/contract/decision.ts';
import type { DelegateFacts, TurnFacts } from '../../../src/contract/turn-facts.ts';
import { noUsage } from '../../../src/goal/budget/budget.ts';
import { decide, needsEvidence } from '../../../src/goal/decision/decide.ts';
import { ruleContext } from '../../../src/goal/decision/rule-context.ts';
import { defaultContinuation, defaultPolicy } from '../../../src/goal/defaults.ts';
import { namedDecision, ruleNumbers } from '../../../src/record/decision/rule-names.ts';
import { readSignals } from '../../../src/reply/phrases.ts';
import { rungsOf } from '../../../src/ui/view/ladder.ts';
import { anyInput } from '../arbitrary.ts';
import { claimFacts, makeCriterion, makeEvidence, makeFacts, makeInput } from '../turn-facts.ts';

type Change = Partial<DecisionInput>;

const talk = (change: Partial<TurnFacts> = {}): Change => ({
  facts: makeFacts({ toolCalls: 1, ...change }),
});
const delegates = (change: Partial<DelegateFacts>): DelegateFacts => ({
  unread: 0,
  waking: 0,
  awaited: 0,
  ...change,
});
const wake = { callId: 't1.s1.1', on: 'timer', seconds: 30, until: null, generation: 0 } as const;
const person = makeCriterion({ state: 'unmet', person: 'needed' });
const stuck = { ...makeInput().counters, turnsWithoutProgress: 9 };

/** What a decision comes to, in three words. */
function summary({ rule, outcome }: Decision): string {
  switch (outcome.action) {
    case 'continue':
    case 'nudge':
    case 'refuse':
      return `${rule} ${outcome.action} ${outcome.next}`;
    case 'pause':
      return `${rule} pause ${outcome.reason}`;
    case 'wait':
      return `${rule} wait ${outcome.on}`;
    default:
      return `${rule} ${outcome.action}`;
  }
}

/** Each with what it leads to alone, beside an unread message, a delegate's result, a used-up limit. */
const turns: readonly (readonly [string, Change, string, string, string, string])[] = [
  [
    'a turn that a person stopped',
    talk({ end: 'interrupted' }),
    'interrupted hold',
    'interrupted hold',
    'interrupted hold',
    'interrupted hold',
  ],
  [
    'a broken turn',
    talk({ end: 'protocol_error' }),
    'broken_turn pause protocol_error',
    'broken_turn pause protocol_error',
    'broken_turn pause protocol_error',
    'broken_turn pause protocol_error',
  ],
  [
    'a question',
    talk({ end: 'question' }),
    'ask pause question',
    'ask pause question',
    'ask pause question',
    'ask pause question',
  ],
  [
    'a call to be approved',
    talk({ end: 'approval' }),
    'ask wait approval',
    'ask continue message',
    'ask wait approval',
    'ask wait approval',
  ],
  [
    'a claim that holds',
    { facts: claimFacts(), evidence: makeEvidence() },
    'claim complete',
    'claim continue message',
    'claim complete',
    'claim complete',
  ],
  [
    'a claim that is refused',
    { facts: claimFacts({ openTodos: ['t1'] }) },
    'claim refuse nudge',
    'claim continue message',
    'claim refuse nudge',
    'limit limit',
  ],
  [
    'a claim that only a person can accept',
    { facts: claimFacts({ hasTodos: true }), evidence: makeEvidence([makeCriterion(), person]) },
    'claim wait approval',
    'claim continue message',
    'claim wait approval',
    'claim wait approval',
  ],
  [
    'a finding',
    { facts: makeFacts({ mode: 'gather' }), isDelegate: true },
    'finding complete',
    'nudge continue message',
    'finding complete',
    'finding complete',
  ],
  [
    'a yield that holds',
    { evidence: makeEvidence() },
    'yield complete',
    'nudge continue message',
    'yield complete',
    'yield complete',
  ],
  [
    'an answered message',
    talk({ kind: 'message' }),
    'message_answered pause message',
    'message_answered continue message',
    'message_answered pause message',
    'message_answered pause message',
  ],
  [
    'a wrap-up',
    { ...talk({ kind: 'wrap_up' }), status: 'budget_limited' },
    'wrap_up hold',
    'wrap_up hold',
    'wrap_up hold',
    'wrap_up hold',
  ],
  [
    'a turn that handed work over',
    talk({ delegates: delegates({ awaited: 1 }) }),
    'delegates wait delegate',
    'delegates continue message',
    'delegates continue wake',
    'limit limit',
  ],
  [
    'a wake request',
    talk({ end: 'election', election: wake }),
    'wake_request wait timer',
    'wake_request continue message',
    'wake_request continue wake',
    'limit limit',
  ],
  [
    'words that wait for a person',
    talk({ signals: readSignals('Should I proceed with the deletion?') }),
    'waiting_words pause question',
    'waiting_words continue message',
    'waiting_words continue wake',
    'limit limit',
  ],
  [
    'refused content',
    talk({ finishReason: 'content_filter' }),
    'content_refused pause provider_error',
    'content_refused continue message',
    'content_refused continue wake',
    'limit limit',
  ],
  [
    'a turn that was cut off',
    talk({ finishReason: 'length' }),
    'truncated continue resume',
    'truncated continue message',
    'truncated continue resume',
    'limit limit',
  ],
  [
    'a turn that was cut off again and again',
    { ...talk({ finishReason: 'length' }), counters: { ...stuck, truncatedTurns: 2 } },
    'truncated pause no_progress',
    'truncated continue message',
    'truncated continue wake',
    'limit limit',
  ],
  [
    'a turn without progress',
    { ...talk(), counters: stuck },
    'no_progress pause no_progress',
    'no_progress continue message',
    'no_progress continue wake',
    'limit limit',
  ],
  [
    'words that announce more work',
    talk({
      followsToolResult: true,
      toolRatio: 0.75,
      signals: readSignals('Now I need to look at the parser.'),
    }),
    'nudge continue nudge',
    'nudge continue message',
    'nudge continue nudge',
    'limit limit',
  ],
  [
    'a turn that says nothing of it',
    talk(),
    'nudge nudge nudge',
    'nudge continue message',
    'nudge continue wake',
    'limit limit',
  ],
  [
    'a turn where nudges are off',
    {
      ...talk(),
      policy: { ...defaultPolicy, continuation: { ...defaultContinuation, enabled: false } },
    },
    'nudge pause question',
    'nudge continue message',
    'nudge continue wake',
    'limit limit',
  ],
];

describe('what comes first', () => {
  test.each(turns)('of %s and what happened meanwhile', (_, change, ...expected) => {
    const { facts = makeFacts() } = change;
    const waking = { ...(facts.delegates ?? delegates({})), waking: 1 };
    const found = [
      change,
      { ...change, facts: { ...facts, unread: 1 } },
      { ...change, facts: { ...facts, delegates: waking } },
      { ...change, usage: { ...noUsage, tokens: 1000 } },
    ];
    expect(found.map((one) => summary(decide(makeInput(one))))).toEqual(expected);
  });

  test('is shown for every rule', () => {
    const shown = new Set(turns.map(([, , alone]) => alone.split(' ')[0]));
    // A limit is the fourth of each.
    expect([...shown, 'limit'].sort()).toEqual(Object.keys(ruleNumbers).sort());
  });
});

const stops = ({ outcome: { action } }: Decision): boolean =>
  action === 'pause' || action === 'wait';
const leadsOn = ({ outcome: { action } }: Decision): boolean =>
  action === 'continue' || action === 'nudge' || action === 'refuse';

describe('every decision', () => {
  const onAny = (holds: (decision: Decision, input: DecisionInput) => void) =>
    fc.assert(
      fc.property(anyInput, (input) => holds(decide(input), input)),
      { numRuns: 2000 },
    );

  test('is the same for the same input, whatever that is', () => {
    onAny((decision, input) => {
      expect(decide(structuredClone(input))).toEqual(decision);
      expect(decision.sentence).toMatch(/[.!?…]$/);
    });
  });

  test('that yields to a message stands only where none is unread', () => {
    onAny((decision, { facts }) => {
      if (facts.unread === 0 || decision.yieldsTo === 'nobody') return;
      expect(decision.outcome).toMatchObject({ next: 'message' });
    });
  });

  test('that yields to a result stands only where none is there', () => {
    onAny((decision, { facts }) => {
      if (decision.yieldsTo !== 'result' || !facts.delegates?.waking) return;
      expect(stops(decision) || decision.outcome.action === 'nudge').toBe(false);
    });
  });

  test('leads on only where no limit is used up', () => {
    onAny((decision, input) => {
      if (ruleContext(input).limit === null || !leadsOn(decision)) return;
      // A person who speaks while they are answered is answered once more.
      expect(summary(decision)).toBe('message_answered continue message');
    });
  });

  test('without evidence completes nothing but what a delegate found (C1)', () => {
    onAny((_, input) => {
      const { rule, outcome } = decide({ ...input, evidence: null });
      if (outcome.action === 'complete')
        expect([input.isDelegate, rule]).toEqual([true, 'finding']);
    });
  });

  test('asks for evidence at most once, and only for what may complete the goal', () => {
    onAny((_, input) => {
      if (!needsEvidence(input)) return;
      expect(input.evidence).toBeNull();
      expect(['claim', 'yield']).toContain(input.facts.end);
      expect(needsEvidence({ ...input, evidence: makeEvidence() })).toBe(false);
    });
  });

  test('is read the same where an older workflow sent it by number', () => {
    onAny((decision, { facts }) => {
      const { rule, yieldsTo: _, ...rest } = decision;
      const numbered: NumberedDecision = { ...rest, rule: ruleNumbers[rule] };
      const read = namedDecision(numbered);
      expect(ruleNumbers[read.rule]).toBe(ruleNumbers[rule]);
      if (stops(decision)) expect(read).toEqual(decision);
      // What a message or a result overruled shows no longer which of two rules it was.
      const isResultThere = (facts.delegates?.waking ?? 0) > 0;
      const isOverruled = facts.unread > 0 || !!facts.programs || isResultThere;
      if (!isOverruled) expect(read).toEqual(decision);
    });
  });
});

describe('the documented order', () => {
  const rows = readFileSync('docs/decisions.md', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, number, name, sentence] = /^\| (\d+) \| `(\w+)` \| (.+?) \|/.exec(line) ?? [];
      return number === undefined ? [] : [{ number: Number(number), name, sentence }];
    });

  test('has every rule with its number and a sentence, in the order in which they are asked', () => {
    expect(rows.map(({ number, name }) => [name, number])).toEqual(Object.entries(ruleNumbers));
    for (const { sentence } of rows) expect(sentence).toMatch(/\.$/);
    const numbers = Object.values(ruleNumbers);
    expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
  });

  test('is the one that the console shows', () => {
    for (const number of Object.values(ruleNumbers)) expect(stageOf(number)).not.toBeNull();
    expect(rungsOf(1)).toHaveLength(new Set(Object.values(ruleNumbers)).size);
  });
});
