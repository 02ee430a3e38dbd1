import type { TurnOutline } from '../../../schema/turn.ts';
import type { RequestedCall } from '../../contract/conversation.ts';
import type { CompactionRow, ReaderPort, TurnRow } from '../../contract/reads.ts';
import { recordedRule } from '../../record/decision/rule-names.ts';
import type { Database } from '../client.ts';
import { decodeCursor, pageOf } from '../cursor.ts';
import {
  ALTERED_FINDING,
  isFindingIntact,
  readFindings,
  type SealedFinding,
  sealedFinding,
} from '../ledger/finding-seal.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import type { OuterRow, Row } from '../row.ts';
import { likeWords } from './words.ts';

type Turns = Pick<ReaderPort, 'turns' | 'timeline' | 'lastGate' | 'proofBase'>;

type StoredTurn = Row<'turn', 'turn' | 'kind' | 'state' | 'started_at' | 'settled_at'> &
  OuterRow<'decision', 'rule'> &
  Row<
    'decision',
    | 'action'
    | 'sentence'
    | 'missing'
    | 'outcome'
    | 'score'
    | 'usage'
    | 'ledger_seq'
    | 'ledger_head'
    | 'at'
  >;

type StoredText = Row<'message', 'seq' | 'turn' | 'voice'> & {
  readonly text: string;
  readonly message_id: string | null;
  readonly calls: RequestedCall[] | null;
};

export function readTurnPages(db: Database, keys: LedgerKeys): Turns {
  return {
    /** Newest first. */
    async turns(goalId, { cursor, limit, before: first, q }) {
      const [before] = decodeCursor(cursor, ['number']) ?? [first ?? 2_147_483_647];
      const rows = await db<StoredTurn[]>`
        SELECT t.turn, t.kind, t.state, t.started_at, t.settled_at, d.rule, d.action, d.sentence,
          d.missing, d.outcome, d.score, d.usage, d.ledger_seq, d.ledger_head, d.at
        FROM turn t LEFT JOIN decision d ON d.goal_id = t.goal_id AND d.turn = t.turn
        WHERE t.goal_id = ${goalId} AND t.turn < ${before} ${q === undefined ? db`` : saying(db, q)}
        ORDER BY t.turn DESC LIMIT ${limit + 1}`;
      const texts = await db<StoredText[]>`
        SELECT seq, turn, voice, content->>'text' AS text, content->>'messageId' AS message_id,
          content->'calls' AS calls
        FROM message
        WHERE goal_id = ${goalId} AND turn < ${before} AND turn >= ${rows.at(-1)?.turn ?? before}
          AND content->'isQuiet' IS NULL
        ORDER BY seq`;
      const made = await db<(CompactionRow & { turn: number })[]>`
        SELECT turn, number, step, reason, model, at,
          CASE WHEN replaced_through > reached THEN notes_by END AS "notesBy",
          tokens_before AS "tokensBefore", tokens_after AS "tokensAfter"
        FROM (SELECT *, lag(replaced_through, 1, 0) OVER (ORDER BY number) AS reached
          FROM compaction WHERE goal_id = ${goalId}) AS made
        WHERE turn < ${before} AND turn >= ${rows.at(-1)?.turn ?? before}
        ORDER BY number`;
      return pageOf(
        rows,
        limit,
        (row) => toTurn(row, texts, made),
        ({ turn }) => [turn],
      );
    },

    async timeline(goalId, { cursor, limit }) {
      const [before] = decodeCursor(cursor, ['number']) ?? [2_147_483_647];
      const rows = await db<TurnOutline[]>`
        SELECT t.turn, t.kind, t.state, t.started_at AS "startedAt", t.settled_at AS "settledAt",
          d.rule::int AS rule, d.action, coalesce(d.missing, '[]') AS missing, (d.usage->>'tokens')::float8 AS tokens,
          d.usage->>'costUsd' AS "costUsd"
        FROM turn t LEFT JOIN decision d ON d.goal_id = t.goal_id AND d.turn = t.turn
        WHERE t.goal_id = ${goalId} AND t.turn < ${before}
        ORDER BY t.turn DESC LIMIT ${limit + 1}`;
      const toOutline = (row: TurnOutline) => row;
      return pageOf(rows, limit, toOutline, ({ turn }) => [turn]);
    },

    async lastGate(goalId) {
      const [row] = await db<GateRow[]>`
        SELECT d.turn, d.missing, coalesce(d.outcome->'reasons', '{}') AS reasons, d.at,
          CASE WHEN b.goal_id IS NOT NULL THEN ${sealedFinding(db)} END AS finding
        FROM decision d LEFT JOIN proof_finding b USING (goal_id, turn)
        WHERE d.goal_id = ${goalId} AND jsonb_typeof(d.facts->'evidence') = 'object'
        ORDER BY d.turn DESC LIMIT 1`;
      if (row === undefined) return null;
      const { finding, ...gate } = row;
      if (finding !== null && !isFindingIntact(keys, finding))
        return { ...gate, missing: [...gate.missing, ALTERED_FINDING], changes: [], proof: null };
      return { ...gate, changes: [...(finding?.changes ?? [])], proof: finding?.proof ?? null };
    },

    async proofBase(goalId, turn) {
      const [found] = await readFindings(db, goalId, turn);
      if (found !== undefined && !isFindingIntact(keys, found)) return { missing: ALTERED_FINDING };
      return found?.base ?? { missing: 'the proof was made by an earlier version' };
    },
  };
}

/** What tools answered is found among the calls. */
const saying = (db: Database, q: string) => db`AND (
  d.sentence ILIKE ${likeWords(q)} OR EXISTS (
    SELECT 1 FROM message m WHERE m.goal_id = t.goal_id AND m.turn = t.turn AND m.voice <> 'tool'
      AND m.content->'isQuiet' IS NULL AND m.content->>'text' ILIKE ${likeWords(q)}))`;

type GateRow = Row<'decision', 'turn' | 'missing' | 'at'> & {
  readonly reasons: Record<string, string>;
  readonly finding: SealedFinding | null;
};

function toTurn(
  row: StoredTurn,
  texts: readonly StoredText[],
  made: readonly (CompactionRow & { turn: number })[],
): TurnRow {
  return {
    turn: row.turn,
    kind: row.kind,
    state: row.state,
    startedAt: row.started_at,
    settledAt: row.settled_at,
    decision: row.rule === null ? null : toDecision(row, row.rule),
    compactions: made.filter(({ turn }) => turn === row.turn).map(({ turn: _, ...rest }) => rest),
    messages: texts.filter(({ turn }) => turn === row.turn).map(toText),
  };
}

const toText = ({
  seq,
  voice,
  text,
  message_id,
  calls,
}: StoredText): TurnRow['messages'][number] => ({
  seq,
  ...(message_id === null ? {} : { messageId: message_id }),
  voice,
  text,
  calls: (calls ?? []).map(({ callId, tool, input }) => ({ callId, tool, input })),
});

const toDecision = (row: StoredTurn, rule: string): NonNullable<TurnRow['decision']> => ({
  rule: Number(rule),
  ruleName: recordedRule(Number(rule), row.outcome.ruleName),
  action: row.action,
  sentence: row.sentence,
  missing: row.missing,
  reasons: row.outcome.reasons ?? {},
  isWarning: row.outcome.isWarning ?? false,
  score: row.score,
  usage: row.usage,
  ledgerSeq: row.ledger_seq,
  ledgerHead: row.ledger_head,
  at: row.at,
});
