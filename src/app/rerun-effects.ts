import { hostname } from 'node:os';
import type { Environment } from '../contract/config.ts';
import type { EffectsSession } from '../contract/effects.ts';
import { boxed } from '../workspace/helper/boxed.ts';
import { startEffects } from '../workspace/helper/client.ts';
import { loadConfig } from './config.ts';
import { configuredSandbox } from './configured-sandbox.ts';

/**
 * Commands for a proof that is repeated outside of any service, sandboxed as a worker's are.
 * @throws ConfigError
 */
export async function startRerun(
  home: string,
  workspace: string,
  environment: Environment,
): Promise<EffectsSession> {
  const { GOALKEEPER_SANDBOX, GOALKEEPER_COMMAND_LIMITS } = environment;
  const config = loadConfig({
    GOALKEEPER_HOME: home,
    GOALKEEPER_SANDBOX,
    GOALKEEPER_COMMAND_LIMITS,
  });
  const sandbox = await configuredSandbox(config);
  const ground = async () => ({ goalId: 'rerun', workspace, network: 'none' as const });
  const host = hostname();
  return startEffects({ host, onSpawn: async () => {}, ...boxed(sandbox, ground) });
}
