import type { ModelCall } from '../../../schema/model-call.ts';
import type { KeptRequest, StoredRequest } from '../../contract/asked-request.ts';
import type { Compaction, Conversation } from '../../contract/compaction-record.ts';
import type { MessageContent, StoredMessage } from '../../contract/conversation.ts';
import type { StepPlace } from '../../contract/journal.ts';
import type { ReaderPort } from '../../contract/reads.ts';
import type { Database } from '../client.ts';
import { readCompaction, withoutCutTries } from '../journal/compactions.ts';
import type { Row } from '../row.ts';

type ModelCalls = Pick<ReaderPort, 'modelCalls' | 'modelCall'>;

type StoredCall = Omit<ModelCall, 'trouble'> & { readonly trouble: string | null };

/** Calls of models, one turn at a time, and what each was asked. */
export function readModelCalls(db: Database): ModelCalls {
  return {
    async modelCalls(goalId, turn) {
      const rows = await db<StoredCall[]>`
        SELECT ${columns(db)} FROM step WHERE goal_id = ${goalId} AND turn = ${turn}
        ORDER BY started_at, kind, step, attempt`;
      return rows.map(toCall);
    },

    async modelCall(goalId, place) {
      const [row] = await db<(StoredCall & Row<'step', 'request'>)[]>`
        SELECT ${columns(db)}, request FROM step
        WHERE goal_id = ${goalId} AND turn = ${place.turn} AND kind = ${place.kind}
          AND step = ${place.step} AND attempt = ${place.attempt}`;
      if (row === undefined) return null;
      const { request, ...stored } = row;
      const call = toCall(stored);
      return {
        call,
        request: request === null ? null : await readRequest(db, goalId, request),
        answer: call.state === 'committed' ? await readAnswer(db, goalId, place) : null,
      };
    },
  };
}

const columns = (db: Database) => db`
  turn, step, kind, attempt, state, model, input_tokens AS "inputTokens",
  cached_input_tokens AS "cachedInputTokens", output_tokens AS "outputTokens",
  trim_scale(cost_usd)::text AS "costUsd", is_estimated AS "isEstimated",
  prices_version AS "pricesVersion", estimated_input AS "estimatedInput",
  finish_reason AS "finishReason", first_token_ms AS "firstTokenMs", request IS NOT NULL AS "hasRequest",
  error->>'kind' || ': ' || (error->>'message') AS trouble,
  started_at AS "startedAt", ended_at AS "endedAt"`;

const toCall = ({ trouble, ...row }: StoredCall): ModelCall =>
  trouble === null ? row : { ...row, trouble };

/** Null where its prompt is gone: the database was restored from before it was kept. */
async function readRequest(
  db: Database,
  goalId: string,
  { prompt, compaction, ...request }: StoredRequest,
): Promise<KeptRequest | null> {
  const [kept] = await db<Row<'sent_prompt', 'system' | 'tools'>[]>`
    SELECT system, tools FROM sent_prompt WHERE hash = ${prompt}`;
  if (kept === undefined) return null;
  const conversation =
    request.through === null
      ? { compaction: null, messages: [] }
      : await readThen(db, goalId, request.through, compaction);
  return { ...request, ...kept, conversation };
}

/** The conversation as a step found it: what came later is left out. */
async function readThen(
  db: Database,
  goalId: string,
  through: number,
  number: number | null,
): Promise<Conversation> {
  const compaction: Compaction | null =
    number === null ? null : await readCompaction(db, goalId, number);
  const messages = await db<StoredMessage[]>`
    SELECT seq, turn, step, voice, content FROM message
    WHERE goal_id = ${goalId} AND seq <= ${through}
      AND (seq > ${compaction?.replacedThrough ?? 0} OR voice = 'person')
    ORDER BY seq`;
  return { compaction, messages: withoutCutTries(messages) };
}

/** The notes of a compaction, or what the model said and asked for; a review leaves no words. */
async function readAnswer(
  db: Database,
  goalId: string,
  { turn, kind, step }: StepPlace,
): Promise<MessageContent | null> {
  if (kind === 'review') return null;
  if (kind === 'compaction') {
    const made = await readCompaction(db, goalId, step);
    return made?.notesBy === 'model' ? { text: made.notes ?? '' } : null;
  }
  const [said] = await db<{ content: MessageContent }[]>`
    SELECT content FROM message
    WHERE goal_id = ${goalId} AND turn = ${turn} AND step = ${step} AND voice = 'model'
      AND content->'isError' IS NULL
    ORDER BY seq LIMIT 1`;
  return said?.content ?? null;
}
