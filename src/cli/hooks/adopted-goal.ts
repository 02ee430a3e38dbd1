import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Goal } from '../../../schema/goal.ts';
import { MARKER_FILE } from '../../workspace/paths.ts';
import { workspaceNameOf } from '../../workspace/workspace-name.ts';
import type { Client } from '../client.ts';

/** One standing external goal a folder: they follow one another in one thread. */
export const threadOf = (realPath: string): string => `adopted:${workspaceNameOf(realPath)}`;

/**
 * The workspace around a folder; null = none is, and no service needs to be asked. A session may
 * work in a folder below it.
 */
export function workspaceAround(folder: string): string | null {
  let path: string;
  try {
    path = realpathSync(folder);
  } catch {
    return null;
  }
  for (;;) {
    if (isMarked(path)) return path;
    const above = dirname(path);
    if (above === path) return null;
    path = above;
  }
}

const isMarked = (path: string): boolean =>
  existsSync(join(path, '.git', MARKER_FILE)) || existsSync(join(path, MARKER_FILE));

/** Names of the workspaces in a folder, as far as the caller sees them. */
export async function servedAt(client: Client, folder: string): Promise<string[]> {
  const { items } = await client.get<{ items: { name: string; path: string }[] }>('/v1/workspaces');
  return items.filter(({ path }) => path === folder).map(({ name }) => name);
}

/** The goal that stands in a workspace, finished or not; null = nobody adopted it. */
export async function adoptedGoal(client: Client, workspace: string): Promise<Goal | null> {
  for (const name of await servedAt(client, workspace)) {
    const page = `/v1/goals?workspace=${encodeURIComponent(name)}&limit=50`;
    const goals = (await client.get<{ items: Goal[] }>(page)).items;
    const found = goals.find(({ driver }) => driver === 'external');
    if (found !== undefined) return found;
  }
  return null;
}
