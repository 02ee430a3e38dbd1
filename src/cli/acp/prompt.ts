import type { StopReason } from '@agentclientprotocol/sdk';
import type { Goal, StartGoal } from '../../../schema/goal.ts';
import type { TextPiece } from '../../contract/live.ts';
import { ApiProblem, type Client } from '../client.ts';
import { failureOf } from '../failure.ts';
import { followGoal } from '../follow.ts';
import { isOver } from '../goal-text.ts';
import { printable } from '../terminal.ts';
import { askApprovals } from './approvals.ts';
import type { Editor } from './editor.ts';
import { type GoalView, viewGoal } from './goal-view.ts';
import { unfit } from './refused.ts';
import { type CommandName, commandIn, standsWords } from './words.ts';

/** A session of the editor's: a thread, whose current goal it shows. */
export interface EditorSession {
  /** Of the session, and of the thread. */
  readonly id: string;
  readonly editor: Editor;
  /** What a goal that begins here is asked, all but its place in the thread. */
  readonly startOf: (objective: string) => Promise<StartGoal>;
  view: GoalView | null;
  /** The prompt that is under way. */
  turn: PromptTurn | null;
}

export interface PromptTurn {
  isCancelled: boolean;
  goalId: string | null;
  /** Nobody waits for its end any more; the goal goes on. */
  readonly leaving: AbortController;
}

/** What a person says leads the session's goal on, or starts one; the turn lasts until it rests. */
export async function takePrompt(
  client: Client,
  session: EditorSession,
  turn: PromptTurn,
  text: string,
): Promise<StopReason> {
  let goal = await act(client, session, text);
  while (goal !== null) {
    turn.goalId = goal.goalId;
    if (turn.isCancelled) await pauseGoal(client, session, turn);
    const rested = await follow(client, session, turn, viewOf(client, session, goal), goal);
    if (turn.isCancelled) return 'cancelled';
    const after = rested.handedTo ?? rested.followedBy;
    goal = after === undefined ? null : await client.get<Goal>(`/v1/goals/${after}`);
    if (goal === null) return rested.status === 'budget_limited' ? 'max_turn_requests' : 'end_turn';
  }
  return turn.isCancelled ? 'cancelled' : 'end_turn';
}

/** @returns the goal to follow; null where nothing goes on */
async function act(client: Client, session: EditorSession, text: string): Promise<Goal | null> {
  const { view } = session;
  const present = view === null ? null : await client.get<Goal>(`/v1/goals/${view.goalId}`);
  const command = commandIn(text);
  if (command !== null) return await obey(client, session, command, present);
  if (present === null || isOver(present)) return await start(client, session, text, present);
  const { goalId, status, pause } = present;
  view?.said(text);
  if (pause?.questionId !== undefined) return await answer(client, present, text);
  // A goal at work goes on with it in mind; one that stands answers.
  const delivery = status === 'active' ? 'steer' : 'pause';
  return await client.send<Goal>('POST', `/v1/goals/${goalId}/messages`, { text, delivery });
}

async function start(
  client: Client,
  session: EditorSession,
  text: string,
  before: Goal | null,
): Promise<Goal> {
  const asked = await session.startOf(text);
  // Another goal in the thread meanwhile is a conflict, which is told.
  const place = { threadId: session.id, expectedGoalId: standing(before) };
  const goal = await client.send<Goal>('POST', '/v1/goals', { ...asked, ...place });
  viewOf(client, session, goal).said(text);
  return goal;
}

const standing = (before: Goal | null): string | null =>
  before === null || before.archivedAt !== undefined ? null : before.goalId;

async function answer(client: Client, { goalId, pause }: Goal, text: string): Promise<Goal> {
  const { question } = await client.get<Asked>(`/v1/goals/${goalId}/question`);
  const option = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  const isOption = option >= 1 && option <= (question?.options.length ?? 0);
  const questionId = question?.questionId ?? pause?.questionId;
  const body = { questionId, ...(isOption ? { option } : { text }) };
  return await client.send<Goal>('POST', `/v1/goals/${goalId}/answers`, body);
}

interface Asked {
  readonly question: {
    readonly questionId: string;
    readonly text: string;
    readonly options: readonly string[];
  } | null;
}

async function obey(
  client: Client,
  { editor }: EditorSession,
  command: CommandName,
  present: Goal | null,
): Promise<Goal | null> {
  if (present === null)
    throw unfit('prompt', 'This session has no goal.', 'Say what is to be reached.');
  if (command === 'watch') return present;
  const goal = await client.send<Goal>('POST', `/v1/goals/${present.goalId}/${command}`, {});
  if (command === 'resume') return goal;
  editor.note('The goal is ended; its record stays. What you say next starts another.');
  return null;
}

/** The view of the goal, which goes on the conversation that is shown already. */
export function viewOf(client: Client, session: EditorSession, goal: Goal): GoalView {
  const { view, editor } = session;
  if (view?.goalId === goal.goalId) return view;
  const isOn = goal.continues !== undefined && goal.continues === view?.goalId;
  const since = isOn && view !== null ? view.told : { turn: 0, message: 0 };
  session.view = viewGoal(client, editor, goal.goalId, since);
  return session.view;
}

async function follow(
  client: Client,
  { editor }: EditorSession,
  { leaving }: PromptTurn,
  view: GoalView,
  { goalId }: Goal,
): Promise<Goal> {
  const approvals = askApprovals(client, editor, goalId, () => leaving.abort());
  let told = '';
  const lookAround = (goal: Goal) => {
    // What fails now is read again with the next news, or at the end.
    view.catchUp(goal).catch(() => {});
    approvals.look().catch(() => {});
    const { actor, reason, since } = goal.activity;
    if (actor !== 'Worker' || since === told) return;
    told = since;
    editor.note(`_${printable(reason)}: goalkeeper worker_`);
  };
  try {
    for (;;) {
      const goal = await followGoal(client, {
        ...{ goalId, signal: leaving.signal, position: view.position },
        onEvent: () => {},
        onPassing: ({ type, data }) => {
          if (type === 'model.text') view.hear(data as TextPiece);
        },
        onCaughtUp: lookAround,
        onAway: () => editor.note('_The service is away; waiting for it._'),
      });
      await view.catchUp(goal);
      if (!isOver(goal) && (await approvals.decided())) continue;
      leaving.signal.throwIfAborted();
      await tellStanding(client, editor, goal);
      return goal;
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    editor.note('_The goal stays as it is. /watch comes back to it._');
    return await client.get<Goal>(`/v1/goals/${goalId}`);
  } finally {
    approvals.close();
  }
}

/** How it stands where nothing goes on by itself. */
export async function tellStanding(client: Client, editor: Editor, goal: Goal): Promise<void> {
  const path = `/v1/goals/${goal.goalId}/question`;
  const { question } = isOver(goal) ? { question: null } : await client.get<Asked>(path);
  editor.note(standsWords(goal, question));
}

/** The editor's person cancels a turn: the goal pauses, and keeps everything. */
export async function pauseGoal(
  client: Client,
  { editor }: EditorSession,
  { goalId, leaving }: PromptTurn,
): Promise<void> {
  try {
    await client.send('POST', `/v1/goals/${goalId}/pause`, {});
  } catch (error) {
    // It rests already, or is over.
    if (error instanceof ApiProblem && error.problem.code === 'invalid_transition') return;
    const { what, wayOut } = failureOf(error);
    editor.note(printable(`The goal goes on: ${what} ${wayOut}`));
    leaving.abort();
  }
}
