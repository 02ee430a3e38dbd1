import type { JSONValue } from 'postgres';
import type { Completion } from '../../../schema/goal.ts';
import type { ChartSnapshot, GoalState } from '../../contract/goal-state.ts';
import type { Execution, SettledTurn } from '../../contract/record.ts';
import { pauseOf } from '../../goal/chart/view.ts';
import { countUnproductiveWait, hasProgressed } from '../../goal/decision/counters.ts';
import { decisionInput } from '../../goal/decision/decision-input.ts';
import { waitsForNews } from '../../goal/waits/chain.ts';
import { applyDecision } from '../../record/decision/apply-decision.ts';
import { completionBy, judgedCriteria, type Said } from '../../record/decision/completion.ts';
import { isCurrent, premiseOf } from '../../record/decision/premise.ts';
import { ruleNumbers } from '../../record/decision/rule-names.ts';
import { storeApprovals } from '../approvals/approvals.ts';
import { readChangedFiles } from '../changed-files.ts';
import type { Transaction } from '../client.ts';
import { assertRevision, readCommit, storeCommit } from '../commits.ts';
import { restartChain } from '../delegates/delegates.ts';
import { settleDelegates } from '../delegates/grant-delegates.ts';
import { settleDispute } from '../disputes/disputes.ts';
import { isAmended } from '../journal/amended.ts';
import { chargeLostSteps } from '../journal/lost-steps.ts';
import { storable, storableText } from '../json.ts';
import type { ChainHead } from '../ledger/ledger-chain.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { type DecisionContent, decisionSealed } from '../ledger/sealed-contents.ts';
import type { SealEnd } from '../ledger/seals.ts';
import { newSeals, sealsEnded, sealsStored } from '../ledger/store-seals.ts';
import { sealWritten } from '../ledger/written-seal.ts';
import type { LockedGoal } from '../locked-goal.ts';
import { readIsolation } from '../reads/isolation.ts';
import type { Row } from '../row.ts';
import { electionEvents, storeElection } from '../waits/elections.ts';
import { closeOpenCall } from './close-call.ts';
import { coverageByGate } from './coverage.ts';
import { heldBy, lockGoal, saveRevision } from './goal-state.ts';

/** Settles a turn in one transaction: the decision and all its consequences. */
export async function recordTurn(
  tx: Transaction,
  execution: Execution,
  turn: SettledTurn,
  keys: LedgerKeys,
): Promise<GoalState | null> {
  const { goalId } = execution;
  const locked = await lockGoal(tx, goalId, keys);
  const known = await readCommit<GoalState>(tx, goalId, turn.commitId);
  if (known !== null) return known;
  const held = heldBy(locked, execution);
  assertRevision(held.state, turn.expectedRevision);
  const goal = await withLostSteps(tx, keys, execution, held);
  if (await isOutdated(tx, goal, turn)) return null;
  return await settle(tx, goal, turn, keys);
}

/** The key under which a turn is settled once, whoever settles it. */
export const turnCommit = (turn: number): string => `turn-${turn}`;

/** The slice is over: steps still in `sent` died with its worker, and are charged. */
export async function withLostSteps(
  tx: Transaction,
  keys: LedgerKeys,
  execution: Execution,
  held: LockedGoal,
): Promise<LockedGoal> {
  const { goalId } = execution;
  const lost = await chargeLostSteps(tx, keys, goalId);
  return lost === 0 ? held : heldBy(await lockGoal(tx, goalId, keys), execution);
}

export async function settle(
  tx: Transaction,
  goal: LockedGoal,
  turn: SettledTurn,
  keys: LedgerKeys,
): Promise<GoalState> {
  const { goalId } = goal.state;
  const { now } = goal;
  const chart = applyDecision(goal.state, turn.decision, now);
  const call = await closeOpenCall(tx, goal, turn, keys);
  await settleTurnRow(tx, goalId, turn, now);
  const text = call?.text ?? (await readLastText(tx, goalId, turn.facts.turn));
  const said = { text, command: call?.command };
  const completion = await completionOf(tx, goalId, turn, said, now);
  const ledger = call?.head ?? goal.ledger;
  const sealEnd = await storeDecision(tx, keys, { goal, turn, head: ledger, now });
  await storeElection(tx, keys, goalId, turn, chart);
  const { options = [], defaultAnswer } = call ?? {};
  await storeRequests(tx, keys, goal, turn, chart, { ...said, options, defaultAnswer });
  // A turn that was stopped before it opened isn't in the state that was read.
  const newest = Math.max(goal.state.turn, turn.facts.turn);
  const state = { ...goal.state, turn: newest, isTurnOpen: false };
  const settled = { ...goal, ledger, sealEnd, state };
  const { counters } = turn.decision;
  const chainFrom = hasProgressed(goal.state.counters, counters) ? turn.facts.turn : 0;
  const waitsInVain = await settleDelegates(tx, keys, goalId, { chart, turn, chainFrom });
  const saved = await saveRevision(tx, keys, settled, {
    chart,
    counters: waitsInVain ? countUnproductiveWait(goal.state.counters, counters) : counters,
    now,
    events: [settledEvent(turn), ...electionEvents(turn)],
    ...(turn.evidence === null ? {} : { criteria: judgedCriteria(goal.criteria, turn.evidence) }),
    ...(completion === null ? {} : { completion }),
  });
  if (chainFrom > 0) await restartChain(tx, keys, goalId, chainFrom);
  await storeCommit(tx, saved, turn.commitId, saved);
  return saved;
}

/** Did what the decision rests on change? Then the evidence is gathered and judged again. */
export async function isOutdated(
  tx: Transaction,
  goal: LockedGoal,
  { decision, evidence, facts }: SettledTurn,
): Promise<boolean> {
  const { goalId, criteriaRevision } = goal.state;
  switch (premiseOf(decision)) {
    case 'nothing':
      return false;
    case 'no_news':
      return await hasNews(tx, goalId, { facts, decision });
    case 'empty_inbox':
      return await hasUnread(tx, goalId);
    case 'evidence': {
      const writeSeq = await lockWrites(tx, goal.workspaceName);
      return !isCurrent(evidence, { criteriaRevision, writeSeq }) || (await hasUnread(tx, goalId));
    }
  }
}

/** The lock keeps other goals' calls from writing between this read and the commit. */
async function lockWrites(tx: Transaction, workspaceName: string): Promise<number> {
  const [workspace] = await tx<Row<'workspace', 'write_seq'>[]>`
    SELECT write_seq FROM workspace WHERE name = ${workspaceName} FOR UPDATE`;
  return workspace?.write_seq ?? 0;
}

/** The delegates' rows are locked, so that none of them ends between this look and the commit. */
export async function hasUnread(tx: Transaction, goalId: string): Promise<boolean> {
  await tx`
    SELECT 1 FROM delegate WHERE parent_goal_id = ${goalId} AND state = 'running'
    ORDER BY delegate_id FOR UPDATE`;
  const unread = await tx`
    SELECT 1 FROM inbox WHERE goal_id = ${goalId} AND taken_by_turn IS NULL
      AND (voice IN ('person', 'agent') OR kind = 'delegate') LIMIT 1`;
  return unread.count > 0 || (await hasAmendment(tx, goalId));
}

/**
 * True when a person wrote after the slice read the inbox; or a program, or somebody amended the
 * goal, where it would wait for something to happen.
 */
async function hasNews(
  tx: Transaction,
  goalId: string,
  { facts, decision: { outcome } }: Pick<SettledTurn, 'facts' | 'decision'>,
): Promise<boolean> {
  if (facts.unread > 0) return false;
  const isForNews = outcome.action === 'wait' && waitsForNews(outcome.on);
  const news = await tx`
    SELECT 1 FROM inbox
    WHERE goal_id = ${goalId} AND taken_by_turn IS NULL
      AND (voice = 'person' OR (voice = 'agent' AND ${isForNews})) LIMIT 1`;
  return news.count > 0 || (isForNews && (await hasAmendment(tx, goalId)));
}

async function hasAmendment(tx: Transaction, goalId: string): Promise<boolean> {
  const [row] = await tx<[{ isAmended: boolean }]>`SELECT ${isAmended(tx, goalId)} AS "isAmended"`;
  return row.isAmended;
}

async function settleTurnRow(
  tx: Transaction,
  goalId: string,
  { facts }: SettledTurn,
  now: string,
): Promise<void> {
  await tx`
    WITH settled AS (
      INSERT INTO turn (goal_id, turn, kind, inbox, state, settled_at)
      VALUES (${goalId}, ${facts.turn}, ${facts.kind}, '[]', 'settled', ${now})
      ON CONFLICT (goal_id, turn) DO UPDATE SET state = 'settled', settled_at = ${now}
    )
    UPDATE journal SET turn = greatest(turn, ${facts.turn}) WHERE goal_id = ${goalId}`;
}

/**
 * `facts` is the decision's complete input, so that it can be recomputed from this row. `outcome`
 * holds the rule's name, a column of its own the rule's number.
 * @returns the end of the goal's seals behind the one of the decision
 */
async function storeDecision(
  tx: Transaction,
  keys: LedgerKeys,
  { goal, turn, head, now }: DecidedTurn,
): Promise<SealEnd> {
  const { state, usage, sealEnd: end } = goal;
  const { goalId } = state;
  const { rule, outcome, sentence, missing, score, ...rest } = turn.decision;
  const row: DecisionContent = {
    turn: turn.facts.turn,
    rule: String(ruleNumbers[rule]),
    action: outcome.action,
    sentence: storableText(sentence),
    facts: storable(decisionInput(state, turn)),
    outcome: storable({ ...outcome, ...rest, ruleName: rule }) as DecisionContent['outcome'],
    score,
    missing: [...missing],
    usage,
    ledger_seq: head.seq,
    ledger_head: head.hash,
    at: now,
  };
  const place = { goalId, end, ledger: head, at: now };
  const seals = newSeals(keys, place, [decisionSealed(row)]);
  await tx`
    ${
      seals === null
        ? tx``
        : tx`WITH ${sealsStored(tx, seals)}, seals_ended AS (
      UPDATE journal SET ${sealsEnded(tx, seals)} WHERE goal_id = ${goalId})`
    }
    INSERT INTO decision (goal_id, turn, rule, action, sentence, facts, outcome, score, missing,
      usage, ledger_seq, ledger_head, at)
    VALUES (${goalId}, ${row.turn}, ${row.rule}, ${row.action}, ${row.sentence},
      ${tx.json(row.facts as JSONValue)}, ${tx.json(storable(row.outcome))},
      ${tx.json(storable(score))}, ${tx.json(storable(missing))}, ${tx.json(storable(usage))},
      ${row.ledger_seq}, ${row.ledger_head}, ${row.at})`;
  return seals?.last ?? end;
}

interface DecidedTurn {
  readonly goal: LockedGoal;
  readonly turn: SettledTurn;
  /** The ledger's, behind the call that ended the turn. */
  readonly head: ChainHead;
  readonly now: string;
}

async function readLastText(tx: Transaction, goalId: string, turn: number): Promise<string> {
  const [message] = await tx<{ text: string }[]>`
    SELECT content->>'text' AS text FROM message
    WHERE goal_id = ${goalId} AND turn = ${turn} AND voice = 'model' ORDER BY seq DESC LIMIT 1`;
  return message?.text ?? '';
}

/**
 * Stores what the pause asks of a person. Ids are made from goal and turn, so a repeat adds
 * nothing.
 */
async function storeRequests(
  tx: Transaction,
  keys: LedgerKeys,
  goal: LockedGoal,
  turn: SettledTurn,
  chart: ChartSnapshot,
  asked: Said & { readonly options: readonly string[]; readonly defaultAnswer: string | undefined },
): Promise<void> {
  const pause = pauseOf(chart);
  const { goalId } = goal.state;
  const { facts } = turn;
  if (pause?.questionId !== undefined) {
    const row = {
      ...{ question_id: pause.questionId, goal_id: goalId, turn: facts.turn },
      ...{
        call_id: facts.question?.callId ?? null,
        text: storableText(asked.text || pause.message),
      },
      default_answer: asked.defaultAnswer ?? goal.state.policy.questionDefault ?? null,
    };
    const seal = sealWritten(keys, 'question', { ...row, options: asked.options });
    await tx`
      INSERT INTO question ${tx({ ...row, options: tx.json(storable(asked.options)), seal })}
      ON CONFLICT (question_id) DO NOTHING`;
  }
  await storeApprovals(tx, keys, goal, turn, { chart, said: asked });
  await settleDispute(tx, goalId, facts.turn, pause?.disputeId);
}

async function completionOf(
  tx: Transaction,
  goalId: string,
  { decision, evidence }: SettledTurn,
  said: Said,
  now: string,
): Promise<Completion | null> {
  const decided = completionBy(decision, said);
  if (decided === null) return null;
  const changedFiles = await readChangedFiles(tx, goalId);
  const isolation = await readIsolation(tx, goalId);
  const coverage = await coverageByGate(tx, goalId, evidence);
  return { ...decided, changedFiles, ...isolation, ...coverage, at: now };
}

const settledEvent = ({ facts, decision }: SettledTurn) => ({
  type: 'turn.settled',
  data: {
    turn: facts.turn,
    kind: facts.kind,
    rule: ruleNumbers[decision.rule],
    ruleName: decision.rule,
    action: decision.outcome.action,
    sentence: decision.sentence.slice(0, 500),
    missing: decision.missing.slice(0, 50),
    score: decision.score,
    isWarning: decision.isWarning,
  },
});
