import type { WorkspaceInput } from '../../schema/goal.ts';
import { speaksForPerson } from '../policy/role-rank.ts';
import type { IntakeFacts } from './facts.ts';
import { type Issue, type Resolved, resolved, unresolved } from './issue.ts';

/** A workspace that is served under a name, or a folder, which gets its name when a goal starts (null). */
export type ChosenWorkspace =
  | { readonly kind: 'served'; readonly name: string }
  | { readonly kind: 'folder'; readonly path: string; readonly name: string | null };

/** The workspace that a new goal works in. */
export function resolveWorkspace(
  {
    principal,
    workspaces,
    servedAt,
    refused,
  }: Pick<IntakeFacts, 'principal' | 'workspaces' | 'servedAt' | 'refused'>,
  input: WorkspaceInput | undefined,
): Resolved<ChosenWorkspace> {
  if (input !== undefined && 'path' in input) {
    const issue = pathIssue(principal);
    if (issue !== null) return unresolved(issue);
    const { path, name } = servedAt ?? { path: input.path, name: null };
    return resolved({ kind: 'folder', path, name });
  }
  const names = workspaces.map(({ name }) => name);
  const name = input === undefined ? onlyOne(names) : names.find((one) => one === input.name);
  const wanted = name ?? (input === undefined ? undefined : input.name);
  const why = refused.find((one) => one.name === wanted)?.why;
  if (why !== undefined) {
    return unresolved(unknown(`${wanted} is not served: ${why}.`, 'workspace.name', names));
  }
  if (name !== undefined) return resolved({ kind: 'served', name });
  return unresolved(
    input === undefined
      ? unknown('Say in which workspace the goal works.', 'workspace', names)
      : unknown(`There is no workspace ${input.name}.`, 'workspace.name', names),
  );
}

function pathIssue({ role }: IntakeFacts['principal']): Issue | null {
  if (speaksForPerson(role)) return null;
  const detail = 'Agents name a workspace; only operators and admins give a path.';
  return { code: 'forbidden', detail, data: { field: 'workspace.path' } };
}

const onlyOne = (names: readonly string[]): string | undefined =>
  names.length === 1 ? names[0] : undefined;

function unknown(sentence: string, field: string, known: readonly string[]): Issue {
  const way =
    known.length === 0 ? 'None is served yet.' : `Known: ${known.slice(0, 20).join(', ')}.`;
  return { code: 'unknown_workspace', detail: `${sentence} ${way}`, data: { field, known } };
}
