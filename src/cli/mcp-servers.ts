import { mkdir } from 'node:fs/promises';
import type { Isolation } from '../../schema/isolation.ts';
import type { McpServerSettings } from '../../schema/mcp-servers.ts';
import { mcpServersOf } from '../app/service-settings.ts';
import { type RefusedTool, refusedTools } from '../mcp/chosen-tools.ts';
import { connectTo } from '../mcp/connect.ts';
import { commandLimits } from '../sandbox/limits.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { homeOf } from './service.ts';

export interface TriedServer {
  readonly name: string;
  /** Null if the server works. */
  readonly problem: string | null;
  readonly tools: number;
  /** What it can reach, in words for people. */
  readonly reach: string;
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
  if (Object.keys(servers).length === 0) return [];
  const home = homeOf(environment);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const mode = environment.GOALKEEPER_SANDBOX === 'off' ? 'off' : 'auto';
  const { boxServer } = await openSandbox({ mode, home, limits: commandLimits() });
  const tried = Object.entries(servers).map(async ([name, settings]) => {
    try {
      const there = await connectTo(name, settings, boxServer, { milliseconds: patienceMs });
      await there.client.close().catch(() => {});
      const reach = reachOf(settings, there.isolation);
      const refused = refusedTools(settings, there.listed);
      const said = [reach, ...refused.map(refusalText)].join('; ');
      return { name, problem: null, tools: there.listed.length - refused.length, reach: said };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { name, problem, tools: 0, reach: reachOf(settings, null) };
    }
  });
  return await Promise.all(tried);
}

const refusalText = ({ tool, keyword, why }: RefusedTool): string =>
  `not offered: ${tool} (${keyword} ${why})`;

function reachOf(settings: McpServerSettings, isolation: Isolation | null): string {
  if ('url' in settings) return 'over HTTP';
  const network =
    settings.network === 'host'
      ? 'NETWORK HOST: it reaches all that this machine can, also services that ask for no password'
      : 'no network';
  if (isolation === null) return network;
  if (isolation === 'none') return 'WITHOUT A SANDBOX: it reaches all that its user can';
  return isolation === 'full' || settings.network === 'host'
    ? `in a sandbox, ${network}`
    : "in a sandbox, with the machine's network";
}
