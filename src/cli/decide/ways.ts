import type { TrackedCriterion } from '../../../schema/criteria.ts';
import type { Goal } from '../../../schema/goal.ts';
import { oneLine } from '../terminal.ts';
import { disputedCriteria } from './disputed-criteria.ts';
import { type Proposal, proposalOf } from './edit-first.ts';
import type { Waiting } from './waiting.ts';

/** One answer to what waits, behind one key. */
export interface Way {
  readonly key: string;
  /** In two or three words; "…" where a line is asked for first. */
  readonly does: string;
  /** What is asked for, or has to be looked at, on a line of its own before anything is sent. */
  readonly asks?: { readonly text: string; readonly isOptional?: true };
  /** Opened in an editor, and what is saved is accepted; absent = it is sent as it is. */
  readonly edits?: Proposal;
  /** Absent = POST. */
  readonly method?: 'PATCH';
  /** Behind the goal's own path. */
  readonly path: string;
  readonly body: (text: string) => object;
  /** What was done, for the person. */
  readonly done: string;
}

/** The answers that a key can give, in the order in which they are offered. */
export function waysOf(waiting: Waiting): readonly Way[] {
  switch (waiting.kind) {
    case 'approval':
      return approvalWays(waiting.approval);
    case 'question':
      return questionWays(waiting.question);
    case 'dispute':
      return disputeWays(waiting);
    case 'pause':
      return [{ key: 'r', does: 'resume', path: '/resume', body: () => ({}), done: 'resumed' }];
    case 'budget':
      return [];
  }
}

type Of<Kind extends Waiting['kind']> = Extract<Waiting, { readonly kind: Kind }>;

function approvalWays(approval: Of<'approval'>['approval']): readonly Way[] {
  const { approvalId, always } = approval;
  const path = `/approvals/${encodeURIComponent(approvalId)}`;
  const once: Way = {
    ...{ key: 'y', does: 'once', path, done: 'approved once' },
    body: () => ({ decision: 'approve' }),
  };
  const decline: Way = {
    ...{ key: 'd', does: 'decline…', path, done: 'declined' },
    asks: { text: 'declined, because' },
    body: (note) => ({ decision: 'deny', note }),
  };
  const edits = proposalOf(approval);
  if (edits !== null)
    return [once, { ...once, key: 'e', does: 'edit first…', done: 'accepted', edits }, decline];
  if (always === null) return [once, decline];
  const workspace = oneLine(always.workspace, 80);
  // What the rule says stands above in full, where no width cuts it.
  const text = `Enter stores it: always in ${workspace}, as above`;
  const forGood: Way = {
    ...{ key: 'w', does: 'always…', path, done: `approved, and stored for ${workspace}` },
    asks: { text, isOptional: true },
    body: () => ({ decision: 'approve', always: true }),
  };
  return [once, forGood, decline];
}

/** Keys have one digit; options beyond are answered by their text. */
const MOST_OPTIONS = 9;

function questionWays({ questionId, options }: Of<'question'>['question']): readonly Way[] {
  const path = '/answers';
  return [
    ...options.slice(0, MOST_OPTIONS).map(
      (text, index): Way => ({
        ...{ key: String(index + 1), does: oneLine(text, 40), path },
        ...{ done: `answered: ${oneLine(text, 200)}` },
        body: () => ({ questionId, option: index + 1 }),
      }),
    ),
    {
      ...{ key: 'a', does: 'answer…', path, done: 'answered' },
      asks: { text: 'answer' },
      body: (text) => ({ questionId, text }),
    },
  ];
}

/** Behind numbers, as they are shown: the criteria that can be amended first. */
function disputeWays({ dispute, goal }: Of<'dispute'>): readonly Way[] {
  const path = `/disputes/${encodeURIComponent(dispute.disputeId)}`;
  const ways: readonly Omit<Way, 'key'>[] = [
    ...disputedCriteria(dispute, goal).flatMap((one) => amendWays(one, goal)),
    {
      ...{ does: 'insist…', path, done: 'insisted: the goal goes on' },
      asks: { text: 'the criterion stays, because' },
      body: (note) => ({ decision: 'insist', note }),
    },
    {
      ...{ does: 'infeasible…', path, done: 'ended as infeasible' },
      asks: { text: 'the goal ends without being complete, because' },
      body: (note) => ({ decision: 'infeasible', note }),
    },
  ];
  return ways.map((way, index) => ({ ...way, key: String(index + 1) }));
}

/** One command in place of another; all else stays as it was when it was shown. */
function amendWays({ criterionId, spec }: TrackedCriterion, goal: Goal): Omit<Way, 'key'>[] {
  if (spec.kind !== 'command') return [];
  const amended = (command: string) =>
    goal.criteria.map((one) => (one.criterionId === criterionId ? { ...spec, command } : one.spec));
  return [
    {
      ...{ does: `amend ${criterionId}…`, method: 'PATCH', path: '' },
      done: `${criterionId} is amended: the goal goes on`,
      asks: { text: `${criterionId} runs instead` },
      body: (command) => ({ criteria: amended(command), expectedRevision: goal.revision }),
    },
  ];
}
