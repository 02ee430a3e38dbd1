import type { Goal } from '../../../schema/goal.ts';
import type { ModelCall } from '../../../schema/model-call.ts';
import { callName } from '../../../schema/model-call-words.ts';
import { readDiff } from '../../archive/read-diff.ts';
import type { Client } from '../client.ts';
import { diffLines } from '../diff-text.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { wrapped } from '../screen/fit.ts';
import { type Look, shortId } from '../screen/look.ts';
import { resultLook, wholeLook } from '../screen/result-look.ts';
import { findGoal, print, type Session } from '../session.ts';
import { oneLine } from '../terminal.ts';
import {
  type Both,
  comparedSections,
  comparedTexts,
  comparedTurns,
} from '../turn/compared-view.ts';
import { type ReadTurn, readTurn } from '../turn/read-turn.ts';
import {
  type AskedCall,
  factsOf,
  partsLine,
  sectionsOf,
  sectionsText,
} from '../turn/request-text.ts';
import { type Reasons, turnView } from '../turn/turn-view.ts';
import { failedOf } from '../turns-text.ts';
import { whyFailed } from '../watch/why-failed.ts';

export interface TurnOptions {
  readonly turn?: number;
  readonly diff?: boolean;
  /** Place of a model call in its turn, from 1. */
  readonly request?: number;
  /** One turn beside `turn`, or two. */
  readonly compare?: readonly number[];
}

export const asksForTurn = ({ turn, diff, request, compare }: TurnOptions): boolean =>
  [turn, diff, request, compare].some((one) => one !== undefined);

/** One turn, or two beside each other: what was done, what was written, or what a model was asked. */
export async function showTurn(
  session: Session,
  prefix: string,
  options: TurnOptions,
): Promise<ExitCode> {
  const turns = turnsOf(options);
  const goal = await findGoal(session, prefix);
  const read: ReadTurn[] = [];
  for (const turn of turns) read.push(await readTurn(session.client, goal.goalId, turn));
  const [left, right] = read;
  if (left === undefined) return EXIT.usage;
  if (right === undefined) await showOne(session, goal, left, options);
  else await showBoth(session, goal, [left, right], options);
  return EXIT.complete;
}

/** @throws UsageError */
function turnsOf({ turn, compare = [], diff, request }: TurnOptions): readonly number[] {
  const all = [...(turn === undefined ? [] : [turn]), ...compare];
  if (diff === true && request !== undefined) {
    throw new UsageError('--diff and --request exclude each other.', 'Give one of the two.');
  }
  if (all.length === 0) {
    throw new UsageError('It is not said which turn is meant.', 'Add --turn N.');
  }
  if (compare.length > 0 && all.length !== 2) {
    const said = all.length === 1 ? 'One turn alone is named' : `${all.length} turns are named`;
    throw new UsageError(
      `${said}, and two are compared.`,
      'Give --turn 38 --compare 41, or --compare 38 41.',
    );
  }
  return all;
}

async function showOne(
  session: Session,
  { goalId }: Goal,
  read: ReadTurn,
  { diff, request }: TurnOptions,
): Promise<void> {
  const { client } = session;
  const look = resultLook();
  const { turn } = read.turn;
  if (diff === true) {
    const found = await diffOf(client, goalId, read);
    print(session, found, () => diffLines(found, look.paint).join('\n'));
    return;
  }
  if (request !== undefined) {
    const asked = await askedOf(client, goalId, read, request);
    print(session, asked, () =>
      [
        look.paint.acting(`turn ${turn}, ${nameOf(asked.call, read)}`),
        look.paint.dim(oneLine(`${asked.call.model}  ${factsOf(asked.call)}`, 400)),
        ...partsLine(asked, look),
        '',
        sectionsText(asked, 'whole'),
      ].join('\n'),
    );
    return;
  }
  const { before: _, ...value } = read;
  const why = session.isJson ? new Map() : await reasonsOf(client, goalId, read);
  const more = session.archive === undefined ? moreLines(goalId, read, look) : [];
  print(session, { goalId, ...value }, () => [...turnView(read, why, look), ...more].join('\n'));
}

async function showBoth(
  session: Session,
  { goalId }: Goal,
  both: Both<ReadTurn>,
  { diff, request }: TurnOptions,
): Promise<void> {
  const { client } = session;
  const look = wholeLook();
  if (diff === true) {
    const titles = eachOf(both, ({ turn }) => `Turn ${turn.turn}`);
    const found = await inOrder(both, (read) => diffOf(client, goalId, read));
    const [left, right] = found;
    const lines = eachOf(found, (one) => diffLines(one, look.paint));
    print(session, { left, right }, () => comparedTexts(titles, lines, look).join('\n'));
    return;
  }
  if (request !== undefined) {
    const asked = await inOrder(both, async (read) => {
      const one = await askedOf(client, goalId, read, request);
      return { one, title: `Turn ${read.turn.turn}, ${nameOf(one.call, read)}` };
    });
    const [left, right] = eachOf(asked, ({ one }) => one);
    const named = eachOf(asked, ({ title }) => title);
    const sections = eachOf(asked, ({ one }) => sectionsOf(one, 'whole'));
    print(session, { left, right }, () => comparedSections(named, sections, look).join('\n'));
    return;
  }
  const why = await inOrder(both, (read) =>
    session.isJson ? Promise.resolve<Reasons>(new Map()) : reasonsOf(client, goalId, read),
  );
  const [left, right] = eachOf(both, ({ before: _, ...value }) => value);
  print(session, { goalId, left, right }, () => comparedTurns(both, why, look).join('\n'));
}

const eachOf = <From, To>([left, right]: Both<From>, map: (one: From) => To): Both<To> => [
  map(left),
  map(right),
];

const inOrder = async <From, To>(
  [left, right]: Both<From>,
  map: (one: From) => Promise<To>,
): Promise<Both<To>> => [await map(left), await map(right)];

/** What a turn wrote; of one that is open, what it wrote until now. */
const diffOf = (client: Client, goalId: string, { turn }: ReadTurn) =>
  readDiff(client, goalId, {
    from: String(turn.turn - 1),
    to: turn.state === 'open' ? 'now' : String(turn.turn),
  });

/** @throws UsageError where the turn has no such call */
async function askedOf(
  client: Client,
  goalId: string,
  { turn, modelCalls }: ReadTurn,
  place: number,
): Promise<AskedCall> {
  const call = modelCalls[place - 1];
  if (call === undefined) {
    const what = `Turn ${turn.turn} has no model call ${place}`;
    const last = modelCalls.length;
    throw last === 0
      ? new UsageError(`${what}: no model was asked in it.`, 'Leave --request out.')
      : new UsageError(`${what}; the last is ${last}.`, `Give --request 1 to ${last}.`);
  }
  const { kind, step, attempt } = call;
  const path = `/v1/goals/${goalId}/turns/${turn.turn}/model-calls/${kind}/${step}/${attempt}`;
  return await client.get<AskedCall>(path);
}

const nameOf = (call: ModelCall, { modelCalls }: ReadTurn): string => callName(call, modelCalls);

/** Older failures of a turn are told by their line alone. */
const MOST_EXPLAINED = 20;

async function reasonsOf(client: Client, goalId: string, { calls }: ReadTurn): Promise<Reasons> {
  const why = new Map<string, readonly string[]>();
  for (const call of failedOf(calls).slice(-MOST_EXPLAINED))
    why.set(call.callId, await whyFailed(client, goalId, { ...call, seq: call.settledSeq }));
  return why;
}

function moreLines(goalId: string, { turn, modelCalls }: ReadTurn, look: Look): string[] {
  if (look.isFile) return [];
  const show = `goalkeeper show ${shortId(goalId, look)} --turn ${turn.turn}`;
  const request = modelCalls.length === 0 ? [] : ['--request 1'];
  const ways = ['--diff', ...request, '--compare M'].join(' | ');
  return ['', ...wrapped(`${show} ${ways}`, look.width).map(look.paint.dim)];
}
