import { type Config, ConfigError } from '../contract/config.ts';
import { isRoot } from '../sandbox/command-user.ts';
import { openSandbox, type Sandbox, SandboxMissing } from '../sandbox/sandbox.ts';

/**
 * @throws ConfigError if a sandbox is required that this machine can't provide, or without one
 *   commands would run as root
 */
export async function configuredSandbox({
  sandbox,
  home,
}: Pick<Config, 'sandbox' | 'home'>): Promise<Sandbox> {
  try {
    const opened = await openSandbox({ ...sandbox, home });
    const { bwrap, why } = opened.protection;
    if (isRoot() && bwrap === null)
      throw new ConfigError('GOALKEEPER_SANDBOX', asRoot(why), WAY_OUT);
    return opened;
  } catch (error) {
    if (!(error instanceof SandboxMissing)) throw error;
    const wayOut = 'Let the worker make sandboxes (docs/security.md), or choose auto.';
    throw new ConfigError('GOALKEEPER_SANDBOX', `is "require": ${error.message}`, wayOut);
  }
}

const asRoot = (why: string) => `leaves commands to root, as ${why}`;
const WAY_OUT =
  'Run the worker as another user, or let it make sandboxes and leave this unset (docs/security.md).';
