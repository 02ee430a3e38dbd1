import type { Approval } from '../../schema/approval.ts';
import type { GoalAttachment } from '../../schema/attachment.ts';
import type { Delegate } from '../../schema/delegate.ts';
import type { Dispute } from '../../schema/dispute.ts';
import type { Goal } from '../../schema/goal.ts';
import type { ArchiveRecord } from '../../schema/goal-archive.ts';
import type { ChainVerdict, LedgerRow } from '../../schema/ledger.ts';
import type { ModelCall } from '../../schema/model-call.ts';
import type { Plan, ShownTodoList } from '../../schema/todo.ts';
import type { Turn } from '../../schema/turn.ts';
import type { Page } from '../contract/reads.ts';
import { readDiff } from './read-diff.ts';
import { byteRecords } from './write-archive.ts';

interface Items<Item> {
  readonly items: Item[];
}

/** How the service is asked: over HTTP, or by itself. */
export interface GoalReads {
  get<Answer>(path: string): Promise<Answer>;
  text(path: string): Promise<string>;
  /** Bytes as they are. */
  bytes(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** What the service says that it can't give; null = another fault, which ends the reading. */
  whyMissing(error: unknown): string | null;
}

export interface Wanted {
  /** With what models were asked, which is large. */
  readonly hasRequests: boolean;
  readonly signal: AbortSignal;
}

/** All that the service tells of a goal, in the order of an archive. Rows stand before outputs. */
export async function* goalRecords(
  client: GoalReads,
  goal: Goal,
  { hasRequests, signal }: Wanted,
): AsyncGenerator<ArchiveRecord> {
  const path = `/v1/goals/${goal.goalId}`;
  const get = <Value>(name: string) => client.get<Value>(`${path}/${name}`);
  yield { kind: 'goal', value: goal };
  yield { kind: 'todos', value: await get<ShownTodoList>('todos') };
  yield { kind: 'gate', value: await get('gate') };
  yield { kind: 'plan', value: (await get<{ plan: Plan | null }>('plan')).plan };
  yield { kind: 'question', value: await get('question') };
  const approvals = `/v1/approvals?state=all&goalId=${goal.goalId}`;
  yield { kind: 'approvals', value: (await client.get<Items<Approval>>(approvals)).items };
  yield { kind: 'disputes', value: (await get<Items<Dispute>>('disputes')).items };
  yield { kind: 'delegates', value: (await get<Items<Delegate>>('delegates')).items };
  const attachments = (await get<Items<GoalAttachment>>('attachments')).items;
  yield { kind: 'attachments', value: attachments };
  for await (const turn of pages<Turn>(client, `${path}/turns?limit=200`)) {
    yield { kind: 'turn', value: turn };
    const calls = (await get<Items<ModelCall>>(`turns/${turn.turn}/model-calls`)).items;
    if (calls.length > 0) yield { kind: 'model-calls', turn: turn.turn, value: calls };
    for (const { kind, step, attempt } of hasRequests ? calls : []) {
      const name = `turns/${turn.turn}/model-calls/${kind}/${step}/${attempt}`;
      yield { kind: 'request', turn: turn.turn, value: await get(name) };
    }
  }
  const outputs: number[] = [];
  for await (const row of pages<LedgerRow>(client, `${path}/ledger?limit=200`)) {
    if (row.outputRef !== undefined) outputs.push(row.seq);
    yield { kind: 'row', value: row };
  }
  yield { kind: 'chain', value: await get<ChainVerdict>('ledger/verify') };
  for (const seq of outputs) {
    yield* bytesOf(client, 'output', String(seq), `${path}/ledger/${seq}/output`, signal);
  }
  for (const sha256 of new Set(attachments.map((one) => one.sha256))) {
    yield* bytesOf(client, 'attachment', sha256, `${path}/attachments/${sha256}`, signal);
  }
  yield* orMissing(client, 'diff', async () => {
    const value = await readDiff(client, goal.goalId, {});
    return { kind: 'diff', value };
  });
  if (goal.completion === undefined) return;
  yield* orMissing(client, 'proof', async () => ({
    kind: 'proof',
    value: await client.text(`${path}/proof`),
  }));
}

async function* pages<Item>(client: GoalReads, path: string): AsyncGenerator<Item> {
  for (let cursor = ''; ; ) {
    const page = await client.get<Page<Item>>(path + cursor);
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

async function* bytesOf(
  client: GoalReads,
  of: 'output' | 'attachment',
  name: string,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<ArchiveRecord> {
  try {
    yield* byteRecords(of, name, await client.bytes(path, signal));
  } catch (error) {
    yield missing(client, `${of} ${name}`, error);
  }
}

async function* orMissing(
  client: GoalReads,
  of: string,
  read: () => Promise<ArchiveRecord>,
): AsyncGenerator<ArchiveRecord> {
  try {
    yield await read();
  } catch (error) {
    yield missing(client, of, error);
  }
}

/** What the service says that it can't give is told; any other fault ends the export. */
function missing(client: GoalReads, of: string, error: unknown): ArchiveRecord {
  const why = client.whyMissing(error);
  if (why === null) throw error;
  return { kind: 'missing', of, why };
}
