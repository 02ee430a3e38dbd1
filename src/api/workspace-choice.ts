import type { WorkspaceInput } from '../../schema/goal.ts';
import type { Principal } from '../../schema/role.ts';
import { Refusal } from '../contract/failures.ts';
import type { ApiPorts } from './application.ts';
import { speaksForPerson } from './roles.ts';

/** The name of the workspace that a new goal works in. */
export async function resolveWorkspace(
  ports: ApiPorts,
  principal: Principal,
  input: WorkspaceInput | undefined,
): Promise<string> {
  if (input !== undefined && 'path' in input) return registered(ports, principal, input.path);
  const names = (await ports.reader.workspaces()).map((workspace) => workspace.name);
  if (input === undefined) return onlyOne(names);
  if (names.includes(input.name)) return input.name;
  throw unknown(`There is no workspace ${input.name}.`, 'workspace.name', names);
}

async function registered(ports: ApiPorts, principal: Principal, path: string): Promise<string> {
  if (!speaksForPerson(principal.role)) {
    throw new Refusal(
      'forbidden',
      'Agents name a workspace; only operators and admins give a path.',
      {
        field: 'workspace.path',
      },
    );
  }
  if (!path.startsWith('/')) {
    throw new Refusal('invalid_request', 'Give the absolute path.', { field: 'workspace.path' });
  }
  return (await ports.workspaces.register(path)).name;
}

function onlyOne(names: readonly string[]): string {
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw unknown('Say in which workspace the goal works.', 'workspace', names);
}

function unknown(sentence: string, field: string, known: readonly string[]): Refusal {
  const way =
    known.length === 0 ? 'None is served yet.' : `Known: ${known.slice(0, 20).join(', ')}.`;
  return new Refusal('unknown_workspace', `${sentence} ${way}`, { field, known });
}
