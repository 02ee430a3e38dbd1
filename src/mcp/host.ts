import type { Logger } from 'pino';
import type { McpServers } from '../../schema/mcp-servers.ts';
import type { Tool } from '../tools/tool.ts';
import { createArgumentChecker } from './argument-checker.ts';
import type { BoxServer } from './connect.ts';
import { hostTools } from './host-tools.ts';
import { type McpLink, openLink } from './link.ts';

/** The configured MCP servers of a worker. */
export interface McpHost {
  /** The same list until a server offers something else. */
  readonly tools: () => readonly Tool[];
  close(): Promise<void>;
}

export async function openMcpHost(
  servers: McpServers,
  boxServer: BoxServer,
  log: Logger,
): Promise<McpHost> {
  let links: readonly McpLink[] = [];
  const checker = createArgumentChecker();
  let known: readonly Tool[] | null = null;
  const onListed = () => {
    known = null;
  };
  const opening = Object.entries(servers).map(([name, settings]) =>
    openLink(name, settings, { log, onListed, boxServer }),
  );
  links = await Promise.all(opening);
  return {
    tools() {
      known ??= links.flatMap((link) => hostTools(link, checker));
      return known;
    },
    close: async () => {
      await Promise.all(links.map((link) => link.close()));
      await checker.close();
    },
  };
}
