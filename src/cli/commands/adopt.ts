import { setTimeout as pause } from 'node:timers/promises';
import type { Goal } from '../../../schema/goal.ts';
import { ApiProblem } from '../client.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { servedAt, threadOf } from '../hooks/adopted-goal.ts';
import { standingWords } from '../hooks/words.ts';
import { openSession, print, type Session } from '../session.ts';
import { warnOfCommands } from '../warn-of-commands.ts';
import { inputOf, type RunOptions } from './run.ts';

export interface AdoptOptions extends Omit<RunOptions, 'replace' | 'thread' | 'change'> {
  readonly scope?: readonly string[];
  readonly replace?: boolean;
}

const OBJECTIVE = 'Do what the person asks for in their session, so that every criterion holds.';
const LOOK_MS = 250;
/** A goal that was replaced or cleared lets go of the folder within this time. */
const LINE_MS = 30_000;

/** Starts a goal on which a session of the person's own works, and waits until it may begin. */
export async function adopt(
  objective: string | undefined,
  { scope, replace, ...given }: AdoptOptions,
): Promise<ExitCode> {
  const session = openSession(given);
  const asked = given.objectiveFile === undefined ? (objective ?? OBJECTIVE) : objective;
  const options = { ...given, ...(scope === undefined ? {} : { change: scope }) };
  const input = await inputOf(session, asked, options);
  const { workspace } = input;
  if (workspace === undefined || !('path' in workspace))
    throw new UsageError('A session works in a folder.', 'Give --workspace PATH.');
  const threadId = threadOf(workspace.path);
  const instead = replace === true ? await standing(session, threadId) : null;
  const goal = await start(session, {
    ...input,
    ...{ driver: 'external', threadId, conversation: 'new' },
    workspace: await namedWorkspace(session, workspace),
    ...(instead === null ? {} : { replace: true, expectedGoalId: instead }),
  });
  session.terminal.err(
    `goal ${goal.goalId}: keeping the files as they are, and running its checks`,
  );
  await warnOfCommands(session);
  const ready = await untilReady(session, goal.goalId);
  print(session, ready, () => ready.goalId);
  if (ready.activity.on !== 'session')
    session.terminal.err(session.terminal.paint.bad(`not ready: ${standingWords(ready)}`));
  const next = '"goalkeeper hook install claude" or "… codex" lets your sessions here obey it.';
  session.terminal.err(session.terminal.paint.dim(next));
  return EXIT.complete;
}

/** A program names the workspaces that are served for it, and gives no path. */
async function namedWorkspace<Given extends { readonly path: string }>(
  { client }: Session,
  workspace: Given,
): Promise<Given | { readonly name: string }> {
  const [served] = await servedAt(client, workspace.path);
  if (served === undefined || Object.keys(workspace).length > 1) return workspace;
  return { name: served };
}

async function standing({ client }: Session, threadId: string): Promise<string | null> {
  try {
    return (await client.get<Goal>(`/v1/threads/${encodeURIComponent(threadId)}/goal`)).goalId;
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.code === 'not_found') return null;
    throw error;
  }
}

async function start({ client }: Session, body: object): Promise<Goal> {
  try {
    return await client.send<Goal>('POST', '/v1/goals', body);
  } catch (error) {
    const actual = error instanceof ApiProblem ? error.problem.actualGoalId : null;
    if (!(error instanceof ApiProblem) || error.problem.code !== 'goal_conflict' || !actual)
      throw error;
    throw new UsageError(
      `The goal ${actual} stands in this folder already.`,
      `"goalkeeper clear ${actual}" ends it; "goalkeeper adopt --replace" puts another in its place.`,
    );
  }
}

/** What a session writes before the first look would count as how it always was. */
async function untilReady({ client }: Session, goalId: string): Promise<Goal> {
  const until = Date.now() + LINE_MS;
  for (;;) {
    const goal = await client.get<Goal>(`/v1/goals/${goalId}`);
    const { state, on } = goal.activity;
    const isInLine = on === 'workspace' && Date.now() < until;
    const isBusy = state === 'running' || on === 'worker' || isInLine;
    if (!isBusy || goal.status !== 'active') return goal;
    await pause(LOOK_MS);
  }
}
