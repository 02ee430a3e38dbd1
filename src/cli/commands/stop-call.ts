import type { CallStop } from '../../../schema/call-stop.ts';
import type { Call } from '../../../schema/turn.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print, type Session } from '../session.ts';

/** Without an id: the goal's only command that runs. */
export async function stopCall(
  prefix: string,
  callId: string | undefined,
  options: CommonOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const goalId = await findGoalId(session, prefix);
  const id = callId ?? (await onlyRunning(session, goalId)).callId;
  const path = `/v1/goals/${goalId}/calls/${encodeURIComponent(id)}/stop`;
  const stop = await session.client.send<CallStop>('POST', path, {});
  print(session, stop, () => `${stop.callId} is being stopped; the turn of ${goalId} goes on.`);
  return EXIT.complete;
}

async function onlyRunning({ client }: Session, goalId: string): Promise<Call> {
  const path = `/v1/goals/${goalId}/calls?outcome=running&tool=run_command`;
  const { items } = await client.get<Page<Call>>(path);
  const [only] = items;
  if (only !== undefined && items.length === 1) return only;
  if (only === undefined) {
    throw new UsageError(`No command of ${goalId} runs.`, 'See "goalkeeper watch".');
  }
  const ids = items.map((call) => call.callId).join(', ');
  throw new UsageError(`Several commands run: ${ids}.`, 'Name one of them.');
}
