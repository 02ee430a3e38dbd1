import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../sandbox/remove-tree.ts';
import { agentFolder } from './run-agent.ts';

/** Removes the homes of agents whose goals are over. */
export async function sweepAgents(
  home: string,
  finished: (goalIds: readonly string[]) => Promise<readonly string[]>,
): Promise<void> {
  const goalIds = await readdir(join(home, 'agents')).catch(() => []);
  if (goalIds.length === 0) return;
  for (const goalId of await finished(goalIds)) {
    await removeTree(agentFolder(home, goalId)).catch(() => {});
  }
}
