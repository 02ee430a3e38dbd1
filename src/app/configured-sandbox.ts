import { isRoleHeld } from '../api/held-roles.ts';
import { type Config, ConfigError } from '../contract/config.ts';
import type { TokensPort } from '../contract/tokens.ts';
import type { Groups } from '../sandbox/groups/groups.ts';
import { requiredWhile } from '../sandbox/required.ts';
import { openSandbox, type Sandbox, SandboxMissing } from '../sandbox/sandbox.ts';

/** @throws ConfigError if a sandbox is required that this machine can't provide */
export async function configuredSandbox(
  {
    sandbox,
    home,
    service,
  }: Pick<Config, 'sandbox' | 'home'> & {
    readonly service: Pick<Config['service'], 'allowedAddresses'>;
  },
  groups: Groups | null = null,
): Promise<Sandbox> {
  try {
    return await openSandbox({ ...sandbox, home, groups, addresses: service.allowedAddresses });
  } catch (error) {
    if (!(error instanceof SandboxMissing)) throw error;
    const wayOut = 'Let the worker make sandboxes (docs/security.md), or choose auto.';
    throw new ConfigError('GOALKEEPER_SANDBOX', `is "require": ${error.message}`, wayOut);
  }
}

/** By default commands need a whole sandbox for as long as a program has a token. */
export const sandboxForPrograms = (
  sandbox: Sandbox,
  config: Pick<Config, 'sandbox' | 'tokens'>,
  tokens: Pick<TokensPort, 'hasRole'>,
): Sandbox =>
  config.sandbox.mode === 'programs'
    ? requiredWhile(sandbox, () => isRoleHeld({ settings: config, tokens }, ['agent']))
    : sandbox;
