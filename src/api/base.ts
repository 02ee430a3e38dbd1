import { BaseRefused } from '../contract/base.ts';
import { Refusal } from '../contract/failures.ts';
import type { NewGoal, Tree } from '../contract/intake.ts';
import type { LookedWorkspace, ScopeLookPort } from '../contract/scope-look.ts';
import type { IntakeFacts } from '../intake/facts.ts';
import type { ChosenWorkspace } from '../intake/workspace.ts';
import type { Ports } from './application.ts';

/** Where a workspace that is served lies. */
export const servedAs = ({ workspaces }: IntakeFacts, name: string): LookedWorkspace =>
  workspaces.find((one) => one.name === name) ?? { name, path: '', host: '' };

/** The tree of a folder that was given by its path; null = the goal names what is served. */
export const lookedAt = async (
  { workspaces }: Ports<'workspaces'>,
  chosen: ChosenWorkspace,
): Promise<Tree | null> =>
  chosen.kind === 'folder' ? workspaces.look(chosen.path, chosen.name ?? undefined) : null;

/**
 * The goal with the commit that its caller means now: a branch may move before the goal begins.
 * @throws Refusal
 */
export async function withBase(
  scopes: ScopeLookPort,
  goal: NewGoal,
  workspace: LookedWorkspace,
): Promise<NewGoal> {
  const name = goal.scope?.base;
  if (name === undefined) return goal;
  const field = 'scope.base';
  if (goal.policy.proof === 'workspace') {
    const why = 'policy.proof says that the workspace alone is looked at: leave one of them out.';
    throw new Refusal('invalid_request', why, { field });
  }
  try {
    const base = await scopes.base(workspace, name);
    return {
      ...goal,
      scope: { ...goal.scope, base, ...(base === name ? {} : { baseName: name }) },
    };
  } catch (error) {
    if (!(error instanceof BaseRefused)) throw error;
    const { problem, message } = error;
    throw new Refusal('invalid_request', `scope.base ${name}: ${message}.`, { field, problem });
  }
}
