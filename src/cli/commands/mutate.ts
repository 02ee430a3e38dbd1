import { createInterface } from 'node:readline/promises';
import type { Goal } from '../../../schema/goal.ts';
import type { SentMessage } from '../../../schema/sent-message.ts';
import { attachFiles } from '../attach.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { isOver, nowText } from '../goal-text.ts';
import {
  type CommonOptions,
  findGoal,
  findGoalId,
  openSession,
  print,
  type Session,
} from '../session.ts';
import { oneLine } from '../terminal.ts';

/** Sends one mutation and shows the goal's new state in a line. */
async function mutate(
  session: Session,
  goalId: string,
  verb: string,
  body: object,
): Promise<ExitCode> {
  const goal = await session.client.send<Goal>('POST', `/v1/goals/${goalId}/${verb}`, body);
  print(session, goal, () => `${goal.goalId} is ${stateText(goal, verb)}`);
  return EXIT.complete;
}

/** A cleared goal keeps the status that it had. */
function stateText(goal: Goal, verb: string): string {
  if (verb === 'clear') return 'cleared';
  return isOver(goal) ? goal.status : `${goal.status}: ${nowText(goal)}`;
}

export async function pause(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  return mutate(session, await findGoalId(session, prefix), 'pause', {});
}

export async function cancelChain(prefix: string, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  return mutate(session, await findGoalId(session, prefix), 'chain/cancel', {});
}

export async function resume(
  prefix: string,
  options: CommonOptions & { acknowledge?: boolean },
): Promise<ExitCode> {
  const session = openSession(options);
  const body = options.acknowledge === true ? { acknowledge: true } : {};
  return mutate(session, await findGoalId(session, prefix), 'resume', body);
}

export async function message(
  prefix: string,
  text: string,
  options: CommonOptions & {
    steer?: boolean;
    now?: boolean;
    attach?: string[];
  },
): Promise<ExitCode> {
  const session = openSession(options);
  if (options.steer === true && options.now === true)
    throw new UsageError(
      '--steer waits for the next call, --now does not.',
      'Give one of the two.',
    );
  const delivery = options.now === true ? 'now' : options.steer === true ? 'steer' : 'pause';
  const goalId = await findGoalId(session, prefix);
  const files = await attachFiles(session.client, options.attach);
  const exitCode = await mutate(session, goalId, 'messages', { text, delivery, ...files });
  if (delivery === 'pause' && !session.isJson) {
    session.terminal.err(`it answers when its turn is over: goalkeeper watch ${goalId}`);
  }
  return exitCode;
}

/** Without an id: the only message that waits. */
export async function takeBack(
  prefix: string,
  messageId: string | undefined,
  options: CommonOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const id = messageId ?? (await onlyWaiting(session, goalId)).messageId;
  const path = `/v1/goals/${goalId}/messages/${encodeURIComponent(id)}/take-back`;
  const goal = await session.client.send<Goal>('POST', path, {});
  print(
    session,
    goal,
    () => `${id} is taken back: ${goal.goalId} is ${stateText(goal, 'message')}`,
  );
  return EXIT.complete;
}

async function onlyWaiting({ client }: Session, goalId: string): Promise<SentMessage> {
  const path = `/v1/goals/${goalId}/messages`;
  const { items } = await client.get<{ items: SentMessage[] }>(path);
  const waiting = items.filter(({ state }) => state === 'waiting');
  const [only] = waiting;
  if (only !== undefined && waiting.length === 1) return only;
  if (only === undefined)
    throw new UsageError(
      `No message to ${goalId} waits: ${noneWaitsText(items)}.`,
      'Say what holds.',
    );
  const texts = waiting.map(({ messageId: id, text }) => `  ${id}  ${oneLine(text, 60)}`);
  throw new UsageError(`Several messages wait:\n${texts.join('\n')}`, 'Name one of them.');
}

/** Of the messages to a goal, newest first, of which none waits. */
export function noneWaitsText(items: readonly SentMessage[]): string {
  if (items.length === 0) return 'none was sent';
  const [newest] = items;
  return newest?.state === 'taken_back'
    ? `the newest was taken back by ${newest.takenBackBy ?? 'somebody'}`
    : `turn ${newest?.turn ?? '?'} read the newest`;
}

export async function answer(
  prefix: string,
  text: string | undefined,
  options: CommonOptions & { question?: string; option?: number; attach?: string[] },
): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const questionId = options.question ?? (await openQuestion(session, goalId));
  const { option } = options;
  if ((text === undefined) === (option === undefined)) {
    throw new UsageError('An answer is a text or an option.', 'Give one of the two.');
  }
  const files = await attachFiles(session.client, options.attach);
  return mutate(session, goalId, 'answers', { questionId, text, option, ...files });
}

async function openQuestion(session: Session, goalId: string): Promise<string> {
  const path = `/v1/goals/${goalId}/question`;
  const { question } = await session.client.get<{ question: { questionId: string } | null }>(path);
  if (question !== null) return question.questionId;
  throw new UsageError(
    `${goalId} has no open question.`,
    'Say something with "goalkeeper message".',
  );
}

export async function complete(
  prefix: string,
  options: CommonOptions & { result: string },
): Promise<ExitCode> {
  const session = openSession(options);
  return mutate(session, await findGoalId(session, prefix), 'complete', { result: options.result });
}

export async function clear(
  prefix: string,
  options: CommonOptions & { yes?: boolean },
): Promise<ExitCode> {
  const session = openSession(options);
  const goal = await findGoal(session, prefix);
  if (options.yes !== true) await confirm(session, goal);
  return mutate(session, goal.goalId, 'clear', {});
}

async function confirm({ terminal }: Session, goal: Goal): Promise<void> {
  if (!terminal.isInteractive) {
    throw new UsageError('Clearing a goal wants to be confirmed.', 'Add --yes.');
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await reader.question(
      `Clear "${goal.objective.slice(0, 80)}"? Type ${goal.goalId}: `,
    );
    if (typed.trim() !== goal.goalId) {
      throw new UsageError(
        'That is not the id of the goal: nothing was cleared.',
        'Type it whole, or add --yes.',
      );
    }
  } finally {
    reader.close();
  }
}
