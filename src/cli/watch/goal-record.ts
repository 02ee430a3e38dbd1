import type { Call, Turn } from '../../../schema/turn.ts';
import { turnTitle } from '../../../schema/turn-title.ts';
import type { Page } from '../../contract/reads.ts';
import type { Client } from '../client.ts';
import type { TurnEnd } from './told.ts';

/** What the record has of turns and calls that events only name. */
export interface GoalRecord {
  /** The call of a turn; null where the record can't be read or has none. */
  call(turn: number, callId: string): Promise<Call | null>;
  running(): Promise<readonly Call[]>;
  turn(turn: number): Promise<Turn | null>;
  end(turn: number): Promise<TurnEnd | null>;
  /** What was read counts no longer: time went on. */
  forget(): void;
}

const PAGE = 200;
const MOST_PAGES = 5;

export function goalRecord(client: Client, goalId: string): GoalRecord {
  const path = `/v1/goals/${goalId}`;
  const calls = new Map<number, Promise<Map<string, Call>>>();
  const turns = new Map<number, Promise<readonly Turn[]>>();
  const readCalls = async (turn: number): Promise<Map<string, Call>> => {
    const found = new Map<string, Call>();
    let cursor = '';
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await client.get<Page<Call>>(
        `${path}/calls?turn=${turn}&limit=${PAGE}${cursor}`,
      );
      for (const call of answer.items ?? []) found.set(call.callId, call);
      if (answer.nextCursor == null) break;
      cursor = `&cursor=${encodeURIComponent(answer.nextCursor)}`;
    }
    return found;
  };
  const once = <Value>(
    kept: Map<number, Promise<Value>>,
    turn: number,
    read: () => Promise<Value>,
  ) => {
    const known = kept.get(turn) ?? read();
    kept.set(turn, known);
    return known;
  };
  /** The turn, and the one before it, whose sums it goes on from. */
  const pair = (turn: number) =>
    once(turns, turn, async () => {
      const answer = await client.get<Page<Turn>>(`${path}/turns?before=${turn + 1}&limit=2`);
      return answer.items ?? [];
    });
  const known = async (turn: number) => (await pair(turn)).find((one) => one.turn === turn) ?? null;
  return {
    async call(turn, callId) {
      const call = (await once(calls, turn, () => readCalls(turn))).get(callId);
      if (call === undefined) return null;
      return call.arguments != null ? call : askedIn(await known(call.turn), call);
    },
    running: async () => {
      const answer = await client.get<Page<Call>>(`${path}/calls?outcome=running&limit=20`);
      return (answer.items ?? []).toReversed();
    },
    turn: known,
    async end(turn) {
      const items = await pair(turn);
      const own = items.find((one) => one.turn === turn);
      if (own?.decision == null) return null;
      return endOfTurn(own, items.find((one) => one.turn === turn - 1) ?? null);
    },
    forget() {
      calls.clear();
      turns.clear();
    },
  };
}

/** A call that never began has its arguments in the message that asked for it. */
export function askedIn(turn: Pick<Turn, 'messages'> | null, call: Call): Call {
  if (call.arguments != null) return call;
  const asked = turn?.messages.flatMap((message) => message.calls) ?? [];
  const input = asked.find(({ callId }) => callId === call.callId)?.input;
  return input === undefined ? call : { ...call, arguments: parsed(input) };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

export function endOfTurn(turn: Turn, before: Turn | null): TurnEnd {
  const { decision, startedAt, settledAt } = turn;
  const { action = '', sentence = '', missing = [] } = decision ?? {};
  const spent = Number(decision?.usage.costUsd ?? 0);
  const isFirst = turn.turn <= 1;
  const since =
    before?.decision == null ? (isFirst ? 0 : null) : Number(before.decision.usage.costUsd);
  return {
    ...{ deed: turnTitle(turn), action, sentence, missing },
    costUsd: since === null ? null : Math.max(0, spent - since),
    seconds: settledAt === null ? null : (Date.parse(settledAt) - Date.parse(startedAt)) / 1000,
  };
}
