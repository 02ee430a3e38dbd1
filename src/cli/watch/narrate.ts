import type { Goal } from '../../../schema/goal.ts';
import type { Call } from '../../../schema/turn.ts';
import type { Client } from '../client.ts';
import { eventWords, type ProgressEvent } from '../progress.ts';
import { oneLine } from '../terminal.ts';
import { changeOf, isBeyond, isFailure } from './call-words.ts';
import { callIdOf, fieldsOf, turnOf } from './event-fields.ts';
import { goalRecord } from './goal-record.ts';
import { type HeardPiece, heardWords } from './heard-words.ts';
import type { EndedCall, Told } from './told.ts';
import { whyFailed } from './why-failed.ts';

/** Tells the story of a goal from its events, in order, with what the record has of each. */
export interface Narrator {
  hear(event: ProgressEvent): void;
  /** A piece of a running answer. */
  hearWords(piece: HeardPiece): void;
  /** Resolves when all that was heard up to now is told. */
  told(): Promise<void>;
  caughtUp(goal: Goal): void;
  /** The line that a model is writing. */
  openLine(): string;
}

export interface Narration {
  readonly tell: (told: Told) => void;
  readonly goal: () => Goal | null;
  /** Turns of the backlog that are told: of a long goal a person wants the newest. */
  readonly mostTurns: number;
}

type Heard = ProgressEvent | { readonly words: HeardPiece };

export function narrate(client: Client, goalId: string, narration: Narration): Narrator {
  const { tell, goal, mostTurns } = narration;
  const record = goalRecord(client, goalId);
  const words = heardWords();
  let pending: Heard[] = [];
  let work = Promise.resolve();
  let isLive = mostTurns === Number.POSITIVE_INFINITY;
  let standing: Standing = { status: 'active', text: 'active', isWait: false };
  let isCatchingUp = false;
  let leftOut = 0;

  const say = (said: ReturnType<typeof words.hear>, at: string): void => {
    if (said === null) return;
    const { isAgain, ...lines } = said;
    if (isAgain) tell(note(at, said.turn, 'model', 'the answer is sent again', 'dim'));
    tell({ kind: 'say', at, ...lines });
  };

  const endedCall = async (event: ProgressEvent): Promise<EndedCall> => {
    const { tool, outcome, exitCode } = fieldsOf(event);
    const call = await record.call(turnOf(event) ?? 0, callIdOf(event)).catch(() => null);
    const ended = {
      ...{ tool: String(tool), outcome: String(outcome ?? 'settled'), call },
      exitCode: typeof exitCode === 'number' ? exitCode : null,
      change: call === null ? null : changeOf(call),
      isBeyondScope: call !== null && isBeyond(call, goal()?.scope),
    };
    const why =
      call !== null && isFailure(ended)
        ? await whyFailed(client, goalId, { ...call, seq: call.settledSeq })
        : [];
    return { ...ended, why };
  };

  const tellEvent = async (event: ProgressEvent): Promise<void> => {
    const { type, at } = event;
    const turn = turnOf(event);
    switch (type) {
      case 'turn.opened': {
        const end = turn === null || isLive ? null : await record.end(turn).catch(() => null);
        return tell({ kind: 'turn', at, turn, why: String(fieldsOf(event).kind ?? ''), end });
      }
      case 'turn.settled': {
        const end = turn === null ? null : await record.end(turn).catch(() => null);
        const { sentence, action } = fieldsOf(event);
        const said = { deed: '', action: String(action ?? ''), sentence: String(sentence ?? '') };
        const unknown = { ...said, missing: [], costUsd: null, seconds: null };
        return tell({ kind: 'settled', at, turn, end: end ?? unknown });
      }
      case 'message.added': {
        const { step, voice } = fieldsOf(event);
        if (voice !== 'model' || turn === null || typeof step !== 'number') return;
        const its = (await record.turn(turn).catch(() => null))?.messages ?? [];
        const message = its.filter((one) => one.voice === 'model')[step - 1];
        if (message !== undefined) say(words.ended(turn, step, message.text), at);
        return;
      }
      case 'call.settled':
        return tell({ kind: 'call', at, turn, ...(await endedCall(event)) });
      case 'goal.changed': {
        const now = standingOf(event);
        const isNews = now.text !== standing.text && (now.isWait || now.status !== standing.status);
        standing = now;
        if (!isNews) return;
        break;
      }
    }
    const said = eventWords(event);
    if (said === null) return;
    const [what = ''] = type.split('.');
    tell(note(at, turn, what, said.text, said.tone));
  };

  const flush = async (): Promise<void> => {
    const batch = pending;
    pending = [];
    record.forget();
    for (const heard of batch) {
      if ('words' in heard) say(words.hear(heard.words), new Date().toISOString());
      else await tellEvent(heard);
    }
  };
  const later = (): void => {
    if (isLive) work = work.then(flush);
  };

  return {
    hear(event) {
      pending.push(event);
      if (!isLive && event.type === 'turn.opened') {
        const opened = pending.flatMap((heard, index) =>
          'words' in heard || heard.type !== 'turn.opened' ? [] : [index],
        );
        const first = opened.at(-mostTurns) ?? 0;
        if (opened.length > mostTurns) {
          leftOut += opened.length - mostTurns;
          pending = pending.slice(first);
        }
      }
      later();
    },
    hearWords(piece) {
      pending.push({ words: piece });
      later();
    },
    caughtUp(known) {
      if (isLive || isCatchingUp) return;
      isCatchingUp = true;
      work = work.then(async () => {
        tell({ kind: 'goal', at: known.createdAt, turn: null, goal: known, before: leftOut });
        await flush();
        isLive = true;
        await flush();
      });
    },
    told: () => work,
    openLine: () => words.open(),
  };
}

interface Standing {
  readonly status: unknown;
  readonly text: string;
  readonly isWait: boolean;
}

/** A goal that waits stays active: what it waits for is news as well. */
function standingOf(event: ProgressEvent): Standing {
  const { status, activity } = fieldsOf(event);
  const { state, on, reason } = (activity ?? {}) as Partial<Goal['activity']>;
  const isWait = state === 'waiting';
  return { status, isWait, text: isWait ? `${status} ${on} ${reason}` : String(status) };
}

export const beganOf = (call: Call, now: number): number =>
  call.startedAt === null ? 0 : Math.max(0, (now - Date.parse(call.startedAt)) / 1000);

const note = (
  at: string,
  turn: number | null,
  what: string,
  text: string,
  tone: Extract<Told, { kind: 'note' }>['tone'],
): Told => ({ kind: 'note', at, turn, what, text: oneLine(text, 2000), tone });
