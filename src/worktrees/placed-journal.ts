import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppliesOnHost } from '../contract/applies.ts';
import type { CheckLoans } from '../contract/check-loans.ts';
import { RecordAltered, Refusal } from '../contract/failures.ts';
import type { GoalBrief } from '../contract/goal-brief.ts';
import type { JournalPort } from '../contract/journal.ts';
import { isInside, refusedPlace } from '../workspace/refused-place.ts';

/**
 * Where a goal works is looked up in the database, whose writer is not to choose folders of this
 * machine: each brief is refused whose folder could not be registered here either.
 */
export function placedJournal(journal: JournalPort, home: string): JournalPort {
  return {
    ...journal,
    async brief(goalId) {
      const brief = await journal.brief(goalId);
      const why = await whyNotIn(brief.workspace, home);
      if (why !== null) throw new RecordAltered(why, brief.mode);
      return brief;
    },
  };
}

/** A worktree's folder is the service's own; it has none before its first turn. */
async function whyNotIn(
  { name, path, origin }: Pick<GoalBrief['workspace'], 'name' | 'path' | 'origin'>,
  home: string,
): Promise<string | null> {
  if (path === '') return null;
  const why = origin == null ? await whyNotThere(path, home) : await whyNoTree(path, home);
  return why === null ? null : `The workspace "${name}" is not worked in: ${why}`;
}

/** The same for a check that somebody tries without a goal. */
export function placedLoans(loans: CheckLoans, home: string): CheckLoans {
  return {
    ...loans,
    async pathOf(name, host) {
      const path = await loans.pathOf(name, host);
      const why = await whyNotIn({ name, path }, home);
      if (why === null) return path;
      throw new Refusal('unknown_workspace', why, { field: 'workspace.path' });
    },
  };
}

/** The same for a branch that is brought into the workspace that it was made from. */
export function placedApplies(applies: AppliesOnHost, home: string): AppliesOnHost {
  return {
    ...applies,
    async take(ref, by) {
      const ground = await applies.take(ref, by);
      const { workspace, treePath } = ground;
      const name = workspace.name;
      const why =
        (await whyNotIn(workspace, home)) ??
        (await whyNotIn({ name, path: treePath, origin: name }, home));
      if (why === null) return ground;
      await applies.giveBack(ref);
      throw new Refusal('unknown_workspace', why, { field: 'workspace' });
    },
  };
}

async function whyNotThere(path: string, home: string): Promise<string | null> {
  // One that is missing is told by whoever opens it.
  const tree = await realpath(path).catch(() => path);
  if (tree === path) return refusedPlace(tree, home);
  return `${path} leads to ${tree} by a link; register that folder`;
}

async function whyNoTree(path: string, home: string): Promise<string | null> {
  const trees = join(await realpath(home).catch(() => home), 'worktrees');
  const tree = await realpath(path).catch(() => path);
  const isOwn = tree === path && tree !== trees && isInside(trees, tree);
  return isOwn ? null : `${path} is no worktree of this service`;
}
