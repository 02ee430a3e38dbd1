import type { GoalDiff } from '../../../schema/checkpoint.ts';
import type { Client } from '../client.ts';
import { type AfterAnswerKey, type Answering, chosen, typedOn } from '../decide/answering.ts';
import { editFirst } from '../decide/edit-first.ts';
import type { Waiting } from '../decide/waiting.ts';
import { type Way, waysOf } from '../decide/ways.ts';
import { failureOf } from '../failure.ts';
import type { ScreenPort } from '../screen/port.ts';
import { oneLine, type Paint } from '../terminal.ts';
import type { Key } from './foot.ts';
import { takeBackNewest } from './take-back-newest.ts';

/** What keys act on. */
export interface Acting {
  readonly client: Client;
  readonly goalId: string;
  readonly paint: Paint;
  /** What waits for the person; null = nothing. */
  readonly waiting: () => Waiting | null;
  /** The command that runs. */
  readonly command: () => string | null;
  /** All that was printed last. */
  readonly output: () => readonly string[];
  /** Lines that stay. */
  readonly stay: (lines: readonly string[]) => void;
  /** A text in lines of the screen's width. */
  readonly wrapped: (text: string) => readonly string[];
  /** What came of a key, for a while. */
  readonly say: (text: string) => void;
  readonly leave: () => void;
  readonly suspend: () => void;
  readonly lend: ScreenPort['lend'];
}

const TAKE_BACK = { key: 'u', does: 'take back' };

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const COLOURS_END = '\u001b[0m';

/** What a person says to the agent goes the way of an answer. */
const MESSAGE: Way = {
  ...{ key: 'm', does: 'message', path: '/messages' },
  ...{
    asks: { text: 'message to the agent' },
    done: 'said: the running turn takes it along; u takes it back',
  },
  body: (text) => ({ text, delivery: 'steer' }),
};

/** Keys of the screen, one at a time; a text that is asked for is typed at the foot. */
export function screenActs(acting: Acting) {
  const { client, goalId, paint, waiting, command, say, stay, lend } = acting;
  let answering: Answering | null = null;
  const kept = new Map<string, string>();
  let hasSaid = false;

  const doing = (work: Promise<string>, failed: (why: string) => void = say): void => {
    work.then(say, (error) => {
      const { what, wayOut } = failureOf(error);
      failed(`${what} ${wayOut}`);
    });
  };
  const send = async (
    path: string,
    body: object,
    done: string,
    method: 'POST' | 'PATCH' = 'POST',
  ): Promise<string> => {
    await client.send<unknown>(method, `/v1/goals/${goalId}${path}`, body);
    return done;
  };
  const ways = (): readonly Way[] => {
    const waits = waiting();
    return waits === null ? [] : waysOf(waits);
  };
  const after = (next: AfterAnswerKey): void => {
    answering = next.state === 'answering' ? next.answering : null;
    // Where what was typed is kept stays to be read.
    if (next.state === 'edits')
      doing(editFirst({ client, lend, kept }, next.proposal), (why) =>
        stay(['', ...acting.wrapped(why), '']),
      );
    if (next.state !== 'sends') return;
    const { path, body, done, method } = next.way;
    if (next.way === MESSAGE) hasSaid = true;
    doing(send(path, body(next.text), done, method));
  };
  const changes = async (): Promise<string> => {
    const path = `/v1/goals/${goalId}/diff?stat=true&limit=200`;
    const { files, total } = await client.get<GoalDiff>(path);
    const rows = files.map(({ path: file, added, removed, isBinary }) => {
      const counts = `${paint.added(`+${added}`)} ${paint.removed(`−${removed}`)}`;
      return `     ${isBinary ? 'binary' : counts}  ${oneLine(file, 300)}`;
    });
    const sum = `     changes: ${total.files} files +${total.added} −${total.removed}`;
    stay([paint.dim(sum), ...rows]);
    return `goalkeeper diff ${goalId} shows the lines`;
  };
  const stop = (): void => {
    const callId = command();
    if (callId === null) {
      say('no command runs');
      return;
    }
    const path = `/calls/${encodeURIComponent(callId)}/stop`;
    doing(send(path, {}, 'the command is being stopped; the turn goes on'));
  };
  const always: Readonly<Record<string, () => void>> = {
    m: () => after(chosen(goalId, [MESSAGE], MESSAGE.key)),
    p: () => doing(send('/pause', {}, 'pauses at the next call')),
    [TAKE_BACK.key]: () => {
      hasSaid = false;
      doing(takeBackNewest(client, goalId));
    },
    '.': stop,
    o: () => stay(['', ...acting.output().map((text) => `     ${text}${COLOURS_END}`), '']),
    '?': () =>
      say(
        keys()
          .map(({ key, does }) => `${key} ${does}`)
          .join('   '),
      ),
    [CTRL_C]: acting.leave,
    [CTRL_Z]: acting.suspend,
  };
  const whileNothingWaits = { d: () => doing(changes()) };
  const whileItWaits = { v: () => doing(changes()) };

  const keys = (): readonly Key[] => {
    if (answering !== null)
      return [
        { key: '↵', does: 'sends' },
        { key: 'Esc', does: 'leaves it' },
      ];
    const [message, pause] = [
      { key: 'm', does: 'message' },
      { key: 'p', does: 'pause' },
    ];
    const help = { key: '?', does: 'keys' };
    const says = hasSaid ? [message, TAKE_BACK] : [message];
    if (waiting() !== null) {
      return [...ways(), { key: 'v', does: 'view changes' }, ...says, pause, help];
    }
    const ends = command() === null ? [] : [{ key: '.', does: 'stop command' }];
    const looks = [
      { key: 'o', does: 'whole output' },
      { key: 'd', does: 'changes' },
    ];
    return [...says, pause, ...ends, ...looks, help];
  };
  return {
    keys,
    /** The text that is asked for, as far as it is typed. */
    line: (): string | null =>
      answering === null ? null : `${answering.line.asks}: ${answering.line.text}_`,
    press(input: string): void {
      if (answering !== null && input !== CTRL_C && input !== CTRL_Z) {
        after(typedOn(answering, input));
        return;
      }
      const looks = waiting() === null ? whileNothingWaits : whileItWaits;
      const own: Readonly<Record<string, () => void>> = { ...always, ...looks };
      const act = own[input];
      if (act !== undefined) act();
      else after(chosen(goalId, ways(), input));
    },
  };
}
