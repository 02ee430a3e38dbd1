import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CallService, Place } from '../mcp/call-service.ts';
import type { ClientRoots } from '../mcp/client-roots.ts';
import { ownPool } from './own-pool.ts';

/** The client's roots, or where it started the server. */
export const placeOf =
  (asPerson: CallService, cwd: string) =>
  (roots: ClientRoots): Place => ({
    async folders() {
      const told = (await roots()).flatMap(pathOf);
      const folders = told.length === 0 ? [cwd] : told;
      const found = await Promise.all(folders.map((one) => realpath(one).catch(() => null)));
      return found.filter((one): one is string => one !== null);
    },
    async nameOf(path) {
      const listed = await asPerson({ method: 'GET', path: '/v1/workspaces' });
      if (!listed.isOk) return listed;
      const { items } = listed.body as { readonly items: readonly Served[] };
      const there = items.find((one) => one.path === path && one.host === ownPool());
      if (there !== undefined) return { isOk: true, body: { name: there.name } };
      return await asPerson({ method: 'POST', path: '/v1/workspaces', body: { path } });
    },
  });

interface Served {
  readonly name: string;
  readonly path: string;
  readonly host: string;
}

/** Of a folder on this machine. */
function pathOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
