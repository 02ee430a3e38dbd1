import { Refusal } from '../../contract/failures.ts';
import type { Mutation } from '../../contract/mutation.ts';
import type { AnsweredQuestion, OpenQuestion } from '../../contract/reads.ts';
import type { Database, Transaction } from '../client.ts';
import { storableText } from '../json.ts';
import type { LedgerKeys } from '../ledger/ledger-keys.ts';
import { isWritten } from '../ledger/written-seal.ts';
import type { Row } from '../row.ts';
import { sendToInbox } from '../send-to-inbox.ts';

type AnswerMutation = Extract<Mutation, { kind: 'answer' }>;

/** Stores an answer: the number of an option, or a person's own words. */
export async function storeAnswer(
  tx: Transaction,
  keys: LedgerKeys,
  goalId: string,
  mutation: AnswerMutation,
  body: { readonly text?: string; readonly option?: number },
): Promise<void> {
  const { commitId, questionId, by } = mutation;
  const question = await askedQuestion(tx, keys, questionId);
  const text = storableText(body.text ?? optionOf(question.options, body.option ?? 0));
  await tx`
    UPDATE question SET answer = ${text}, answered_by = ${by}, answered_at = now()
    WHERE question_id = ${questionId}`;
  const { attachments = [] } = mutation;
  await sendToInbox(tx, keys, {
    ...{ messageId: `m-${commitId}`, goalId, kind: 'answer', voice: 'person', text },
    ...{ delivery: 'pause', questionId, attachments },
  });
}

type AskedQuestion = Row<
  'question',
  'question_id' | 'goal_id' | 'turn' | 'call_id' | 'text' | 'options' | 'default_answer' | 'seal'
>;

async function askedQuestion(
  tx: Transaction,
  keys: LedgerKeys,
  questionId: string,
): Promise<AskedQuestion> {
  const [question] = await tx<AskedQuestion[]>`
    SELECT question_id, goal_id, turn, call_id, text, options, default_answer, seal
    FROM question WHERE question_id = ${questionId}`;
  if (question === undefined || !isWritten(keys, 'question', question)) throw notAsked(questionId);
  return question;
}

/** Of a question or an approval that somebody added to the database. */
export const notAsked = (id: string): Refusal =>
  new Refusal(
    'invalid_transition',
    `The service did not ask ${id}: somebody changed the database. Look at \`goalkeeper ledger verify\`.`,
  );

function optionOf(options: readonly string[], option: number): string {
  const chosen = options[option - 1];
  if (chosen !== undefined) return chosen;
  throw new Refusal('invalid_request', `The question has ${options.length} options`, {
    field: 'option',
    options,
  });
}

type QuestionRow = Row<'question', 'question_id' | 'text' | 'options' | 'default_answer'> & {
  readonly until: string | null;
};

/** The question that is open for an answer. */
export async function readOpenQuestion(db: Database, goalId: string): Promise<OpenQuestion | null> {
  const [row] = await db<QuestionRow[]>`
    SELECT q.question_id, q.text, q.options, q.default_answer, g.pause->>'until' AS until
    FROM question q JOIN goal g USING (goal_id)
    WHERE q.goal_id = ${goalId} AND q.answered_at IS NULL
      AND g.archived_at IS NULL
      AND coalesce(g.pause->>'questionId', q.question_id) = q.question_id
      AND (g.status = 'paused'
        OR g.status = 'active' AND g.snapshot->'context'->>'next' = 'message')
    ORDER BY q.turn DESC LIMIT 1`;
  if (row === undefined) return null;
  const { question_id: questionId, text, options, until } = row;
  return { questionId, text, options, default: until && row.default_answer, until };
}

export async function readAnswered(db: Database, goalId: string): Promise<AnsweredQuestion | null> {
  const [row] = await db<AnsweredQuestion[]>`
    SELECT question_id AS "questionId", answered_by AS by, answered_at AS at FROM question
    WHERE goal_id = ${goalId} AND answered_at IS NOT NULL AND answered_by IS NOT NULL
    ORDER BY answered_at DESC LIMIT 1`;
  return row ?? null;
}
