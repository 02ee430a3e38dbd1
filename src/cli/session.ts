import type { Goal } from '../../schema/goal.ts';
import type { Page } from '../contract/reads.ts';
import type { GoalArchive } from './archive/goal-archive.ts';
import { ApiProblem, type Client, createClient } from './client.ts';
import { findService } from './service.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { nearest, UnknownGoal } from './unknown-goal.ts';

/** The context of every command that talks to the service. */
export interface Session {
  readonly client: Client;
  readonly terminal: Terminal;
  readonly isJson: boolean;
  /** What the client answers is read from it, instead of a service. */
  readonly archive?: GoalArchive;
}

export interface CommonOptions {
  readonly json?: boolean;
}

export function openSession(options: CommonOptions): Session {
  return {
    client: createClient(findService(process.env)),
    terminal: processTerminal(),
    isJson: options.json === true,
  };
}

/** Of a goal that is a file: no service is asked. */
export async function openArchive(path: string, options: CommonOptions): Promise<ArchiveSession> {
  const { archivedClient } = await import('./archive/archived-client.ts');
  const { readArchive } = await import('./archive/goal-archive.ts');
  const archive = await readArchive(path);
  const client = archivedClient(archive);
  return { client, terminal: processTerminal(), isJson: options.json === true, archive };
}

type ArchiveSession = Session & { readonly archive: GoalArchive };

/**
 * Finds a goal by its id or a unique prefix of it.
 * @throws UnknownGoal with the goals whose ids are nearest
 */
export async function findGoal(session: Session, prefix: string): Promise<Goal> {
  try {
    return await session.client.get<Goal>(`/v1/goals/${encodeURIComponent(prefix)}`);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.code !== 'not_found') throw error;
    throw new UnknownGoal(error.problem, await nearestGoals(session, prefix));
  }
}

/** Goals that were looked at or changed lately are the ones that are meant. */
async function nearestGoals({ client }: Session, prefix: string): Promise<Goal[]> {
  const { items } = await client
    .get<Page<Goal>>('/v1/goals?limit=100&sort=updated')
    .catch(() => ({ items: [] }));
  return nearest(prefix, items);
}

export async function findGoalId(session: Session, prefix: string): Promise<string> {
  return /^g-[0-9a-f]{16}$/.test(prefix) ? prefix : (await findGoal(session, prefix)).goalId;
}

export function print(
  session: Pick<Session, 'terminal' | 'isJson'>,
  value: unknown,
  text: () => string,
): void {
  session.terminal.out(session.isJson ? JSON.stringify(value) : text());
}
