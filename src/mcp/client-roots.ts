import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a client may take to tell its roots. */
const ROOTS_MS = 5000;
const KEY = 'roots';

interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: { readonly roots?: unknown };
}

/** The folders that a client says it works in, as URIs; none where it tells none. */
export type ClientRoots = () => Promise<readonly string[]>;

/** A call waits for the client's roots: it is answered by `ask`, and comes again with them. */
export class RootsUntold extends Error {
  readonly ask: InputRequiredResult = inputRequired({
    inputRequests: { [KEY]: inputRequired.listRoots() },
  });
}

/**
 * Before revision 2026-07-28 a server asks its client in the middle of a call; since, a call is
 * answered with what is asked, and the client calls again.
 *
 * @throws RootsUntold
 */
export const rootsOf =
  ({ server }: McpServer, { mcpReq }: ServerContext): ClientRoots =>
  async () => {
    const { envelope, inputResponses } = mcpReq;
    if (envelope === undefined) {
      if (server.getClientCapabilities()?.roots === undefined) return [];
      const told = await server.listRoots(undefined, { timeout: ROOTS_MS }).catch(() => null);
      return (told?.roots ?? []).map(({ uri }) => uri);
    }
    const { [CLIENT_CAPABILITIES_META_KEY]: able } = envelope as Envelope;
    if (able?.roots === undefined) return [];
    const told = inputResponse(inputResponses, KEY);
    if (told.kind === 'roots') return told.roots.map(({ uri }) => uri);
    if (told.kind === 'missing' && inputResponses?.[KEY] === undefined) throw new RootsUntold();
    return [];
  };
