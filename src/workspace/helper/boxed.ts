import type { CommandScope } from '../../contract/effects.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { EffectsOptions } from './client.ts';

/** How the helper of one attempt starts where this sandbox is to hold its commands. */
export function boxed(
  sandbox: Sandbox,
  ground: () => Promise<CommandScope>,
): Pick<EffectsOptions, 'box' | 'isForSandboxes' | 'limits'> {
  const { protection, limits } = sandbox;
  if (protection.bwrap === null) return { limits };
  return {
    limits,
    isForSandboxes: true,
    box: async (reach) => await sandbox.box(await ground(), reach),
  };
}
