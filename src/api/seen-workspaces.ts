import type { WorkspaceInput } from '../../schema/goal.ts';
import type { RefusedWorkspace } from '../../schema/operations.ts';
import type { Caller } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { ReaderPort } from '../contract/reads.ts';
import type { LookedWorkspace } from '../contract/scope-look.ts';
import { seesWorkspace, sightOf } from '../policy/sight.ts';
import { workspaceNameOf } from '../workspace/workspace-name.ts';
import type { Ports } from './application.ts';

type Workspaces = Awaited<ReturnType<ReaderPort['workspaces']>>;

/** The workspaces that exist for a caller. */
export async function seenWorkspaces(
  { reader }: Ports<'reader'>,
  caller: Caller,
): Promise<Workspaces> {
  const sight = sightOf(caller);
  return (await reader.workspaces()).filter(({ name }) => seesWorkspace(sight, name));
}

/**
 * By workers that live, of their own host; a name that another host serves is served. And what
 * somebody changed in the database.
 */
async function refusedWorkspaces(
  { reader }: Ports<'reader'>,
  caller: Caller,
  workspaces: Workspaces,
): Promise<readonly RefusedWorkspace[]> {
  const hosts = new Map(workspaces.map(({ name, host }) => [name, host]));
  const workers = (await reader.workers()).filter(({ state }) => state !== 'lost');
  const refused = workers
    .flatMap(({ host, refused }) => refused.map((one) => ({ ...one, host })))
    .filter(({ name, host }) => (hosts.get(name) ?? host) === host);
  return [...refused, ...(await reader.alteredWorkspaces())].filter(({ name }) =>
    seesWorkspace(sightOf(caller), name),
  );
}

/** Where a caller may work, and what is served at the path that the caller asks for. */
export interface Places {
  readonly workspaces: Workspaces;
  /** Null where no path is asked for, or nothing is served there. */
  readonly servedAt: LookedWorkspace | null;
  /** Workspaces that are not served, with the reason. */
  readonly refused: readonly RefusedWorkspace[];
}

/**
 * A folder that gets its name later is no caller's who is bound to names.
 * @throws Refusal
 */
export async function placesOf(
  ports: Ports<'reader' | 'workspaces'>,
  caller: Caller,
  input: WorkspaceInput | undefined,
): Promise<Places> {
  const workspaces = await seenWorkspaces(ports, caller);
  const refused = await refusedWorkspaces(ports, caller, workspaces);
  if (input === undefined || !('path' in input)) return { workspaces, servedAt: null, refused };
  const there = await ports.workspaces.servedAt(input.path, workspaces);
  const servedAt = there.find(({ name, path }) => name !== workspaceNameOf(path)) ?? there[0];
  if (servedAt !== undefined) return { workspaces, servedAt, refused };
  if (caller.workspaces === null) return { workspaces, servedAt: null, refused };
  const known = workspaces.map(({ name }) => name);
  throw new Refusal('unknown_workspace', 'The folder is none of the workspaces of this token.', {
    field: 'workspace.path',
    known,
  });
}
