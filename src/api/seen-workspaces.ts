import type { WorkspaceInput } from '../../schema/goal.ts';
import type { Caller } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';
import { seesWorkspace, sightOf } from '../policy/sight.ts';
import type { Ports } from './application.ts';

type Workspaces = Awaited<ReturnType<ReaderPort['workspaces']>>;

/**
 * The workspaces that exist for a caller.
 * @param input what the caller asks for: a folder that gets its name later is no caller's who is
 * bound to names
 * @throws Refusal
 */
export async function seenWorkspaces(
  { reader }: Ports<'reader'>,
  caller: Caller,
  input?: WorkspaceInput,
): Promise<Workspaces> {
  const sight = sightOf(caller);
  const seen = (await reader.workspaces()).filter(({ name }) => seesWorkspace(sight, name));
  if (caller.workspaces === null || input === undefined || !('path' in input)) return seen;
  if (seen.some(({ path }) => path === input.path)) return seen;
  const known = seen.map(({ name }) => name);
  throw new Refusal('unknown_workspace', 'The folder is none of the workspaces of this token.', {
    field: 'workspace.path',
    known,
  });
}
