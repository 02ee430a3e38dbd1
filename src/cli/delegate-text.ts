import type { Delegate } from '../../schema/delegate.ts';
import type { Client } from './client.ts';
import { oneLine } from './terminal.ts';

const SHOWN_TASK = 80;
const SHOWN_REASON = 160;

/** The tree of a goal's delegates, one line each; empty where it has none. */
export async function delegateTree(client: Client, goalId: string): Promise<string> {
  const { items } = await client.get<{ items: Delegate[] }>(`/v1/goals/${goalId}/delegates`);
  return items.length === 0 ? '' : `\n\ndelegates:\n${items.map(delegateLine).join('\n')}`;
}

export function delegateLine(delegate: Delegate): string {
  const { depth, state, mode, task, goalId, usage } = delegate;
  const used = usage === undefined ? '' : `, ${usage.tokens} tokens`;
  const lead = `${'  '.repeat(depth)}- ${goalId ?? delegate.delegateId} ${wordOf(delegate)}`;
  const end = state === 'ended' || state === 'refused' || state === 'dropped';
  const why = end && delegate.outcome?.kind !== 'finding' ? reasonOf(delegate) : '';
  return `${lead} (${mode}${used}): ${oneLine(task, SHOWN_TASK)}${why}`;
}

function wordOf({ state, outcome, status, startsAt }: Delegate): string {
  if (state === 'ended') return outcome?.kind === 'finding' ? 'done' : (outcome?.kind ?? 'ended');
  if (state === 'running' && status === 'paused') return 'paused';
  return startsAt !== undefined && state === 'delayed' ? `begins ${startsAt}` : state;
}

const reasonOf = ({ outcome }: Delegate): string =>
  outcome === undefined ? '' : ` — ${oneLine(outcome.reason, SHOWN_REASON)}`;
