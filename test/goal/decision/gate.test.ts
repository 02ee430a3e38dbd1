import { describe, expect, it } from 'vitest';
import { judgeGate } from '../../../src/goal/decision/gate.ts';
import { costOf, inGateOrder } from '../../../src/proof/gate-order.ts';
import { claimFacts, makeCriterion, makeEvidence } from '../turn-facts.ts';

const judge = (evidence: ReturnType<typeof makeEvidence>) =>
  judgeGate({ evidence, facts: claimFacts() });

describe('the gate', () => {
  it('refuses while files move, and names them with the call that helps', () => {
    const moving = { ...makeEvidence(), moved: ['tick.txt'] };
    expect(judge(moving)).toMatchObject({ verification: null, missing: ['workspace'] });
    expect(judge(moving).reasons.workspace).toMatch(/tick\.txt.*run_command/);
  });

  it('says what a check itself names as the remedy', () => {
    const open = makeCriterion({ state: 'stale', reason: 'old', remedy: 'call run_command.' });
    expect(judge(makeEvidence([open])).reasons.c1).toBe(
      'Criterion c1 is stale (old): call run_command.',
    );
  });

  it('R43 only what the host checked and what failed before proves anything', () => {
    const git = makeCriterion({ isHostChecked: false });
    const guard = makeCriterion({ baseline: 'met' });
    const notRun = makeCriterion({ baseline: 'not_run' });
    expect(judge(makeEvidence([git, guard, notRun])).verification).toBe('supported');
    expect(judge(makeEvidence([git, makeCriterion()])).verification).toBe('verified');
  });

  it.each([
    ['stale', true, /repeat its check with run_command/],
    ['stale', false, /repeat its check with run_command/],
    ['narrowed', true, /run the whole check/],
    ['unmet', true, /fix the cause, then call attempt_completion/],
    ['unmet', false, /needs a person or another check/],
  ] as const)('says what helps where a criterion is %s (by the host: %s)', (...row) => {
    const [state, isHostChecked, words] = row;
    expect(judge(makeEvidence([makeCriterion({ state, isHostChecked })])).reasons.c1).toMatch(
      words,
    );
  });

  it('asks nobody while anything is missing', () => {
    const facts = claimFacts({ openTodos: ['T2'], manualTodos: ['T1'] });
    expect(judgeGate({ evidence: makeEvidence(), facts }).asks).toEqual([]);
  });

  it('names nothing where nothing is wrong, and each receipt once, in their order', () => {
    const second = makeCriterion({ criterionId: 'c2', receipts: [10, 7] });
    const verdict = judge(makeEvidence([makeCriterion({ receipts: [9, 7] }), second]));
    expect(verdict).toMatchObject({ missing: [], reasons: {}, receipts: [7, 9, 10] });
  });

  it('R41 takes work that was done for support, and words alone for nothing', () => {
    const of = (facts: ReturnType<typeof claimFacts>) =>
      judgeGate({ evidence: null, facts }).verification;
    expect(of(claimFacts())).toBeNull();
    expect(of(claimFacts({ receipts: 1 }))).toBe('supported');
    expect(of(claimFacts({ hasTodos: true }))).toBe('supported');
  });

  it('looks at what costs nothing before it runs, pays or asks', () => {
    expect(costOf({ kind: 'file', path: 'a', exists: true })).toBe('look');
    expect(costOf({ kind: 'git' })).toBe('look');
    expect(costOf({ kind: 'command', command: 'x', check: 'receipt' })).toBe('look');
    expect(costOf({ kind: 'command', command: 'x', check: 'clean' })).toBe('run');
    expect(costOf({ kind: 'diagnostics' })).toBe('run');
    expect(costOf({ kind: 'review', rubric: 'x' })).toBe('judge');
    expect(costOf({ kind: 'approval', question: 'x' })).toBe('ask');
    const run = { spec: { kind: 'command', command: 'x' } } as const;
    const look = { spec: { kind: 'file', path: 'a', protect: true } } as const;
    expect(inGateOrder([run, look, run])).toEqual([look, run, run]);
  });
});
