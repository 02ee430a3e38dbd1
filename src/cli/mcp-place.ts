import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { CallService, Place } from '../mcp/call-service.ts';

/** What a client may take to tell its roots. */
const ROOTS_MS = 5000;

/** The client's roots, or where it started the server. */
export const placeOf =
  (asPerson: CallService, cwd: string) =>
  (server: Server): Place => ({
    async folders() {
      const told = await rootsOf(server);
      const folders = told.length === 0 ? [cwd] : told;
      const found = await Promise.all(folders.map((one) => realpath(one).catch(() => null)));
      return found.filter((one): one is string => one !== null);
    },
    async nameOf(path) {
      const listed = await asPerson({ method: 'GET', path: '/v1/workspaces' });
      if (!listed.isOk) return listed;
      const { items } = listed.body as { readonly items: readonly Served[] };
      const there = items.find((one) => one.path === path && one.host === hostname());
      if (there !== undefined) return { isOk: true, body: { name: there.name } };
      return await asPerson({ method: 'POST', path: '/v1/workspaces', body: { path } });
    },
  });

interface Served {
  readonly name: string;
  readonly path: string;
  readonly host: string;
}

async function rootsOf(server: Server): Promise<string[]> {
  if (server.getClientCapabilities()?.roots === undefined) return [];
  const { roots } = await server
    .listRoots(undefined, { timeout: ROOTS_MS })
    .catch(() => ({ roots: [] }));
  return roots.flatMap(({ uri }) => (uri.startsWith('file://') ? [fileURLToPath(uri)] : []));
}
