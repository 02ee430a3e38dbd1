import type { Place, ServiceAnswer } from './call-service.ts';

/** The arguments of a start; those of other tools pass through. */
interface Asked {
  readonly workspace?: unknown;
}

/**
 * A start in a folder of the client's, by the folder's name: the service takes a path of people
 * only, and where the client works is a person's word, while the argument is a model's.
 * @returns the refusal where the folder is another, or the service gives it no name
 */
export async function placed<Args extends Asked>(
  here: Place,
  args: Args,
): Promise<Args | ServiceAnswer> {
  const { workspace } = args;
  const asked = (workspace ?? {}) as { readonly name?: string; readonly path?: string };
  if (asked.name !== undefined) return args;
  const folders = await here.folders();
  const [first] = folders;
  const folder = asked.path === undefined ? first : folders.find((one) => one === asked.path);
  if (asked.path !== undefined && folder === undefined) return elsewhere(folders);
  if (folder === undefined) return args;
  const named = await here.nameOf(folder);
  if (!named.isOk) return named;
  const { path: _, ...rest } = asked;
  const { name } = named.body as { readonly name: string };
  return { ...args, workspace: { ...rest, name } };
}

function elsewhere(folders: readonly string[]): ServiceAnswer {
  const known = folders.length === 0 ? 'none' : folders.slice(0, 20).join(', ');
  const detail = `That is no folder that this client works in. Those that are: ${known}. Leave the workspace out for the first, or take a name of list_workspaces.`;
  return { isOk: false, body: { code: 'forbidden', detail, field: 'workspace.path' } };
}
