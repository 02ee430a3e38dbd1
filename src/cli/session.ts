import type { Goal } from '../../schema/goal.ts';
import { type Client, createClient } from './client.ts';
import { findService } from './service.ts';
import { processTerminal, type Terminal } from './terminal.ts';

/** The context of every command that talks to the service. */
export interface Session {
  readonly client: Client;
  readonly terminal: Terminal;
  readonly isJson: boolean;
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

/** Finds a goal by its id or a unique prefix of it. */
export function findGoal(session: Session, prefix: string): Promise<Goal> {
  return session.client.get<Goal>(`/v1/goals/${encodeURIComponent(prefix)}`);
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
