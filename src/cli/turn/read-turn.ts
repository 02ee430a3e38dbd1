import type { Side } from '../../../schema/compared-turns.ts';
import type { ModelCall } from '../../../schema/model-call.ts';
import type { Call, Turn } from '../../../schema/turn.ts';
import type { Page } from '../../contract/reads.ts';
import type { Client } from '../client.ts';
import { UnknownTurn } from './unknown-turn.ts';

/** All that the record has of one turn. */
export interface ReadTurn extends Side<Call> {
  /** Whose sums it goes on from; null = it is the first. */
  readonly before: Turn | null;
}

const PAGE = 200;

/** @throws UnknownTurn */
export async function readTurn(client: Client, goalId: string, number: number): Promise<ReadTurn> {
  const path = `/v1/goals/${goalId}`;
  const asked = `${path}/turns?before=${number + 1}&limit=2`;
  const { items } = await client.get<Page<Turn>>(asked);
  const turn = items.find((one) => one.turn === number);
  if (turn === undefined)
    throw new UnknownTurn(goalId, number, items[0]?.turn ?? (await first(client, path)));
  const { items: modelCalls } = await client.get<{ items: ModelCall[] }>(
    `${path}/turns/${number}/model-calls`,
  );
  const before = items.find((one) => one.turn < number) ?? null;
  return { turn, before, modelCalls, calls: await callsOf(client, path, number) };
}

/** Turns are numbered from 1 on. */
async function first(client: Client, path: string): Promise<number | null> {
  const { items } = await client.get<Page<Turn>>(`${path}/turns?limit=1`);
  return items.length === 0 ? null : 1;
}

/** In the order in which they began. */
async function callsOf(client: Client, path: string, turn: number): Promise<Call[]> {
  const calls: Call[] = [];
  for (let cursor = ''; ; ) {
    const page = await client.get<Page<Call>>(`${path}/calls?turn=${turn}&limit=${PAGE}${cursor}`);
    calls.push(...page.items);
    if (page.nextCursor === null) return calls.toReversed();
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}
