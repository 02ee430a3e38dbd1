import type { Goal } from '../../../schema/goal.ts';
import type { Page } from '../../contract/reads.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, openSession, print } from '../session.ts';
import { oneLine } from '../terminal.ts';

interface Line {
  readonly name: string;
  readonly leaseGoalId: string | null;
  readonly queue: readonly { readonly goalId: string | null; readonly priority: number }[];
}

/** Who works in each workspace, and who waits for it, first come first. */
export async function queue(name: string | undefined, options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { items } = await session.client.get<Page<Line>>('/v1/workspaces');
  const lines = items.filter((one) => name === undefined || one.name === name);
  const named = lines.flatMap((one) => [one.leaseGoalId, ...one.queue.map(({ goalId }) => goalId)]);
  const objectives = new Map<string, string>();
  for (const goalId of named) {
    if (goalId === null) continue;
    const { objective } = await session.client.get<Goal>(`/v1/goals/${goalId}`);
    objectives.set(goalId, oneLine(objective, 60));
  }
  print(session, { items: lines }, () => linesText(lines, objectives));
  return EXIT.complete;
}

function linesText(lines: readonly Line[], objectives: ReadonlyMap<string, string>): string {
  const goal = (id: string | null) =>
    id === null ? 'a goal of somebody else' : `${id}  ${objectives.get(id) ?? ''}`;
  const busy = lines.filter((one) => one.leaseGoalId !== null || one.queue.length > 0);
  if (busy.length === 0) return 'no goal works or waits';
  return busy
    .flatMap(({ name, leaseGoalId, queue: waiting }) => [
      `${name}  ${leaseGoalId === null ? 'free' : goal(leaseGoalId)}`,
      ...waiting.map(
        ({ goalId, priority }, index) =>
          `  ${index + 1}. ${goal(goalId)}${priority === 0 ? '' : `  priority ${priority}`}`,
      ),
    ])
    .join('\n');
}
