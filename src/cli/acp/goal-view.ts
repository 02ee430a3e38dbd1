import { setTimeout as pause } from 'node:timers/promises';
import type { Goal } from '../../../schema/goal.ts';
import type { ShownTodoList } from '../../../schema/todo.ts';
import type { Call, Turn } from '../../../schema/turn.ts';
import type { TextPiece } from '../../contract/live.ts';
import type { Page } from '../../contract/reads.ts';
import type { Client } from '../client.ts';
import { printable } from '../terminal.ts';
import type { Editor } from './editor.ts';
import { placeOf, toldCalls } from './told-calls.ts';
import { toldWords } from './told-words.ts';

/**
 * What an editor was told of a goal. The record is read anew each time and compared: nothing is
 * told twice, and nothing is lost by an event that nobody saw.
 */
export interface GoalView {
  readonly goalId: string;
  /** In the goal's stream of events. */
  readonly position: { seq: number };
  /** Where a goal begins that goes on this conversation. */
  readonly told: Readonly<Told>;
  /** Tells what the record has beyond what was told. */
  catchUp(goal: Goal): Promise<void>;
  /** Words of a model that speaks. */
  hear(piece: TextPiece): void;
  /** A person said it here. */
  said(text: string): void;
}

/** The last turn and message that were told. */
export interface Told {
  turn: number;
  message: number;
}

const PAGE = { turnsAtFirst: 20, turns: 2, calls: 100 };
const MOST_PAGES = 5;
const LEAST_BETWEEN_MS = 200;

export function viewGoal(client: Client, editor: Editor, goalId: string, since: Told): GoalView {
  const path = `/v1/goals/${goalId}`;
  const told = { ...since };
  let [settled, todos] = [since.turn, 0];
  const words = toldWords(editor);
  const calls = toldCalls(client, editor, path);
  const readTurn = async (
    number: number,
    turn: Turn | undefined,
    its: readonly Call[],
    root: string,
  ) => {
    for (const message of turn?.messages ?? []) {
      if (message.seq <= told.message) continue;
      told.message = message.seq;
      words.message(number, message);
      for (const { callId } of message.calls)
        for (const call of its) if (call.callId === callId) await calls.tell(call, root);
    }
    for (const call of its) await calls.tell(call, root);
    told.turn = Math.max(told.turn, number);
    const decision = turn?.decision ?? null;
    if (decision === null || number <= settled) return;
    settled = number;
    editor.note(`_Turn ${number}: ${printable(decision.sentence)}_`);
  };
  const read = async (root: string) => {
    const size = told.turn === since.turn ? PAGE.turnsAtFirst : PAGE.turns;
    const isOld = ({ turn }: Turn) => turn < told.turn || turn <= since.turn;
    const turns = await newer(client, `${path}/turns?limit=${size}`, isOld);
    const isOver = (call: Call) => placeOf(call) <= calls.through();
    const made = await newer(client, `${path}/calls?limit=${PAGE.calls}`, isOver);
    const numbers = new Set([...turns, ...made].map(({ turn }) => turn));
    for (const number of [...numbers].toSorted((one, other) => one - other)) {
      const its = made.filter(({ turn }) => turn === number);
      await readTurn(
        number,
        turns.find(({ turn }) => turn === number),
        its,
        root,
      );
    }
    calls.advance(made);
  };
  const readPlan = async (revision: number) => {
    if (revision === todos) return;
    const list = await client.get<ShownTodoList>(`${path}/todos`);
    todos = list.revision;
    const entries = list.items.flatMap(({ content, status }) =>
      status === 'dropped' ? [] : [{ content, status, priority: 'medium' as const }],
    );
    editor.tell({ sessionUpdate: 'plan', entries });
  };
  const inTurn = oneAfterTheOther();
  let root = '';
  let readAt = 0;
  let due: { goal: Goal; readonly done: Promise<void> } | null = null;
  return {
    goalId,
    told,
    position: { seq: 0 },
    catchUp(goal) {
      root = goal.workspace.path;
      if (due !== null) {
        due.goal = goal;
        return due.done;
      }
      const done = inTurn(async () => {
        await pause(Math.max(0, readAt + LEAST_BETWEEN_MS - Date.now()));
        const { todos } = (due ?? { goal }).goal;
        due = null;
        readAt = Date.now();
        await read(root);
        await readPlan(todos.revision);
      });
      due = { goal, done };
      return done;
    },
    hear: (piece) => void inTurn(() => words.hear(piece, () => read(root))).catch(() => {}),
    said: words.said,
  };
}

function oneAfterTheOther() {
  let chain: Promise<unknown> = Promise.resolve();
  return (work: () => Promise<void>): Promise<void> => {
    const done = chain.then(work);
    chain = done.catch(() => {});
    return done;
  };
}

/** Pages from the newest item to the first one that is known, the oldest first. */
async function newer<Item>(
  client: Client,
  path: string,
  isKnown: (item: Item) => boolean,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor = '';
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { items, nextCursor } = await client.get<Page<Item>>(path + cursor);
    const known = items.findIndex(isKnown);
    found.push(...(known < 0 ? items : items.slice(0, known)));
    if (known >= 0 || nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  return found.toReversed();
}
