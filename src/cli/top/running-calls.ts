import { callSubject } from '../../../schema/call-subject.ts';
import type { Goal } from '../../../schema/goal.ts';
import type { Call } from '../../../schema/turn.ts';
import type { Page } from '../../contract/reads.ts';
import type { Client } from '../client.ts';
import { verbOf } from '../watch/call-words.ts';

/** What a goal runs at this moment. */
export interface RunningCall {
  readonly text: string;
  /** Milliseconds since 1970; null = unknown. */
  readonly since: number | null;
}

/** More goals than stand on a screen at once are not asked after. */
const MOST_ASKED = 20;

/** By goal: the call that runs, of several the oldest. A goal that can't be read is left out. */
export async function runningCallsOf(
  client: Client,
  goals: readonly Goal[],
): Promise<ReadonlyMap<string, RunningCall>> {
  const running = goals.filter(({ activity }) => activity.state === 'running');
  const told = await Promise.all(
    running.slice(0, MOST_ASKED).map(async ({ goalId }) => {
      const path = `/v1/goals/${goalId}/calls?outcome=running&limit=1`;
      const page = await client.get<Page<Call>>(path).catch(() => null);
      const [call] = page?.items ?? [];
      return call === undefined ? [] : [[goalId, toldCall(call)] as const];
    }),
  );
  return new Map(told.flat());
}

function toldCall(call: Call): RunningCall {
  const verb = call.tool === 'run_command' ? '' : `${verbOf(call.tool)} `;
  const since = call.startedAt === null ? null : Date.parse(call.startedAt);
  return { text: `${verb}${callSubject(call)}`, since };
}
