import { mcpServersOf } from '../app/service-settings.ts';
import { connectTo } from '../mcp/connect.ts';

export interface TriedServer {
  readonly name: string;
  /** Null if the server works. */
  readonly problem: string | null;
  readonly tools: number;
}

/**
 * Each configured MCP server, connected to and asked for its tools.
 * @throws SettingError
 */
export async function mcpServersHere(
  environment: NodeJS.ProcessEnv = process.env,
  patienceMs?: number,
): Promise<TriedServer[]> {
  const servers = mcpServersOf(environment.GOALKEEPER_MCP);
  const tried = Object.entries(servers).map(async ([name, settings]) => {
    try {
      const { client, listed } = await connectTo(name, settings, patienceMs);
      await client.close().catch(() => {});
      return { name, problem: null, tools: listed.length };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error), tools: 0 };
    }
  });
  return await Promise.all(tried);
}
