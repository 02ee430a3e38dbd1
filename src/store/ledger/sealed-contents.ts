import type { SealKind } from '../../../schema/ledger.ts';
import type { Executor } from '../client.ts';
import type { Row } from '../row.ts';
import { factsSealed, type GoalFact, readFacts } from './goal-facts.ts';
import { contentDigest, type Sealed } from './seals.ts';

export type DecisionContent = Row<
  'decision',
  | 'turn'
  | 'rule'
  | 'action'
  | 'sentence'
  | 'facts'
  | 'outcome'
  | 'score'
  | 'missing'
  | 'usage'
  | 'ledger_seq'
  | 'ledger_head'
  | 'at'
>;

export const decisionSealed = (content: DecisionContent): Sealed => ({
  kind: 'decision',
  subject: String(content.turn),
  digest: contentDigest(content),
});

/** `own`: rows that this very transaction wrote, whatever they say of their time. */
export type Which = 'all' | 'own';

/** Kinds whose rows a person, a program or the clock decided. */
export type DecidedKind = Exclude<SealKind, 'start' | 'decision' | GoalFact>;

type Read = (
  sql: Executor,
  goalId: string,
  which: Which,
) => PromiseLike<readonly (object & { readonly [Column in string]?: unknown })[]>;

interface Decided {
  readonly subject: string;
  readonly read: Read;
}

/**
 * The rows that stand for what was decided, by kind. A row that waits for its answer is one only
 * with the answer.
 */
const DECIDED: Record<DecidedKind, Decided> = {
  order: {
    subject: 'commit_id',
    read: (sql, goalId, which) => sql<
      Row<
        'goal_order',
        'commit_id' | 'kind' | 'body' | 'role' | 'ordered_by' | 'sha256' | 'ordered_at'
      >[]
    >`
      SELECT commit_id, kind, body, role, ordered_by, sha256, ordered_at FROM goal_order
      WHERE goal_id = ${goalId} AND commit_id IN (
        SELECT commit_id FROM commit WHERE goal_id = ${goalId} ${written(sql, which)})
      ORDER BY ordered_at, commit_id`,
  },
  approval: {
    subject: 'approval_id',
    read: async (sql, goalId, which) => {
      const rows = await sql<
        Row<
          'approval',
          | 'approval_id'
          | 'goal_id'
          | 'kind'
          | 'turn'
          | 'call_id'
          | 'data'
          | 'state'
          | 'decided_by'
          | 'note'
          | 'accepted'
          | 'decided_at'
        >[]
      >`
      SELECT approval_id, goal_id, kind, turn, call_id, data, state, decided_by, note, accepted,
        decided_at
      FROM approval WHERE goal_id = ${goalId} AND state IN ('approved', 'denied')
        ${written(sql, which)}
      ORDER BY decided_at, approval_id`;
      // What was accepted as it was proposed keeps the digest that it had before there were others.
      return rows.map(({ accepted, ...row }) => (accepted === null ? row : { ...row, accepted }));
    },
  },
  answer: {
    subject: 'question_id',
    read: (sql, goalId, which) => sql<
      Row<
        'question',
        'question_id' | 'turn' | 'text' | 'options' | 'answer' | 'answered_by' | 'answered_at'
      >[]
    >`
      SELECT question_id, turn, text, options, answer, answered_by, answered_at FROM question
      WHERE goal_id = ${goalId} AND answered_at IS NOT NULL ${written(sql, which)}
      ORDER BY answered_at, question_id`,
  },
  dispute: {
    subject: 'dispute_id',
    read: (sql, goalId, which) => sql<
      Row<
        'dispute',
        | 'dispute_id'
        | 'criterion_id'
        | 'call_id'
        | 'turn'
        | 'body'
        | 'state'
        | 'decided_by'
        | 'note'
        | 'decided_at'
      >[]
    >`
      SELECT dispute_id, criterion_id, call_id, turn, body, state, decided_by, note, decided_at
      FROM dispute WHERE goal_id = ${goalId} AND decided_by IS NOT NULL ${written(sql, which)}
      ORDER BY decided_at, dispute_id`,
  },
  message: {
    subject: 'message_id',
    read: async (sql, goalId, which) => {
      const rows = await sql<
        Row<
          'inbox',
          'message_id' | 'kind' | 'voice' | 'text' | 'delivery' | 'question_id' | 'attachments'
        >[]
      >`
      SELECT message_id, kind, voice, text, delivery, question_id, attachments FROM inbox
      WHERE goal_id = ${goalId} AND voice IN ('person', 'agent') ${written(sql, which)}
      ORDER BY seq`;
      // Messages without files keep the digests that they had before there were any.
      return rows.map(({ attachments, ...row }) =>
        attachments === null ? row : { ...row, attachments },
      );
    },
  },
  requirements: {
    subject: 'revision',
    read: (sql, goalId, which) => sql<Row<'requirement_list', 'revision' | 'items'>[]>`
      SELECT revision, items FROM requirement_list
      WHERE goal_id = ${goalId} AND call_id IS NULL ${written(sql, which)}
      ORDER BY revision`,
  },
};

/** A row's transaction can't be chosen by who edits it. */
const written = (sql: Executor, which: Which) =>
  which === 'all'
    ? sql``
    : sql`AND xmin::text::bigint = pg_current_xact_id()::text::bigint % 4294967296`;

/** What was decided about a goal: all of it, or what this transaction wrote. */
export async function readDecided(sql: Executor, goalId: string, which: Which): Promise<Sealed[]> {
  const kinds = Object.entries(DECIDED).map(async ([kind, { subject, read }]) =>
    (await read(sql, goalId, which)).map((row) => ({
      kind: kind as DecidedKind,
      subject: String(row[subject]),
      digest: contentDigest(row),
    })),
  );
  return (await Promise.all(kinds)).flat();
}

/** Everything of a goal that a seal is due for, as it stands in the record now. */
export async function readSealedContents(sql: Executor, goalId: string): Promise<Sealed[]> {
  const decisions = await sql<DecisionContent[]>`
    SELECT turn, rule, action, sentence, facts, outcome, score, missing, usage, ledger_seq,
      ledger_head, at
    FROM decision WHERE goal_id = ${goalId} ORDER BY turn`;
  const facts = await readFacts(sql, goalId);
  return [
    ...decisions.map(decisionSealed),
    ...(await readDecided(sql, goalId, 'all')),
    ...(facts === null ? [] : factsSealed(facts)),
  ];
}
