import { describe, expect, test } from 'vitest';
import type { DecidedApproval } from '../../../src/contract/approval.ts';
import type { Outcome } from '../../../src/contract/decision.ts';
import {
  approvalIdOf,
  asksForClaim,
  asksOf,
  declinedChanges,
  judgeApprovalCriterion,
  overtakenApprovals,
} from '../../../src/goal/approvals/approvals.ts';
import { claimFacts, makeCriterion, makeEvidence } from '../turn-facts.ts';

const decided = (change: Partial<DecidedApproval> = {}): DecidedApproval => ({
  kind: 'approval',
  state: 'approved',
  subject: 'c2',
  question: 'Good?',
  changes: {},
  by: 'ada',
  note: null,
  isOvertaken: false,
  wasSpokenSince: false,
  ...change,
});

describe('a settled turn asks', () => {
  const pause = { action: 'pause', message: '' } as const;

  test.each<[string, Outcome, object[]]>([
    [
      'about a claim that pauses the goal',
      { ...pause, reason: 'unverified_claim' },
      [{ kind: 'completion' }],
    ],
    ['nothing where it pauses for something else', { ...pause, reason: 'blocked' }, []],
    ['nothing where it leads on', { action: 'continue', next: 'nudge' }, []],
  ])('%s', (_, outcome, asks) => {
    expect(asksOf({ outcome })).toEqual(asks);
    expect(asksOf({ outcome, asks: [{ kind: 'tool' }] })).toEqual([{ kind: 'tool' }]);
  });

  test('each under an id of its own, from goal, turn and place', () => {
    expect([0, 1, 2].map((index) => approvalIdOf('g-7', 3, index))).toEqual([
      'a-7-3',
      'a-7-3-2',
      'a-7-3-3',
    ]);
  });

  test('twenty things at once at most, and nothing where nobody is needed', () => {
    const manualTodos = Array.from({ length: 25 }, (_, index) => `T${index}`);
    expect(asksForClaim(null, claimFacts({ manualTodos }))).toHaveLength(20);
    expect(asksForClaim(null, claimFacts())).toEqual([]);
    expect(asksForClaim(makeEvidence(), claimFacts())).toEqual([]);
  });
});

test('an approval is overtaken where files were written after it', () => {
  const asked = makeCriterion({ person: 'needed', state: 'unmet' });
  const stale = makeCriterion({ criterionId: 'c2', person: 'needed', state: 'stale' });
  const checked = makeCriterion({ criterionId: 'c3', state: 'stale' });
  expect(overtakenApprovals(makeEvidence([asked, stale, checked]))).toEqual(['c2']);
  expect(overtakenApprovals(null)).toEqual([]);
});

describe('a criterion of the kind approval', () => {
  const judge = (...given: DecidedApproval[]) => judgeApprovalCriterion('c2', 'Good?', given);

  test('is no check of the host, and has no receipts', () => {
    expect(judge(decided())).toStrictEqual({
      state: 'met',
      isHostChecked: false,
      reason: 'approved by ada',
      receipts: [],
      person: 'approved',
    });
  });

  test('that was denied is nobody’s turn to ask about', () => {
    expect(judge(decided({ state: 'denied' }))).toStrictEqual({
      state: 'unmet',
      isHostChecked: false,
      reason: 'denied by ada. Change what was asked for, or talk to the person with ask_user',
      receipts: [],
    });
  });

  test('is not approved by an approval of another kind', () => {
    expect(judge(decided({ kind: 'manual' })).state).toBe('unmet');
  });
});

describe('a change of what the checks rest on is declined', () => {
  const denied = decided({ kind: 'basis', state: 'denied', changes: { a: 'h1' } });
  const of = (...given: DecidedApproval[]) => declinedChanges({ a: 'h1' }, given);

  test('by any one decision', () => {
    expect(of(decided(), denied, decided())).toEqual(['a']);
  });

  test.each<Partial<DecidedApproval>>([{ state: 'approved' }, { kind: 'manual' }])(
    'by none that is %o',
    (change) => expect(of({ ...denied, ...change })).toEqual([]),
  );
});
