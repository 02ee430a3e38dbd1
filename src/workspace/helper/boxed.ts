import type { CommandScope } from '../../contract/effects.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { EffectsOptions } from './client.ts';

/** How the helper of one attempt starts, and what is made for each of its commands. */
export function boxed(
  sandbox: Sandbox,
  ground: () => Promise<CommandScope>,
): Pick<EffectsOptions, 'box' | 'isForSandboxes' | 'limits' | 'groups'> {
  const { protection, limits, groups } = sandbox;
  return {
    limits,
    groups,
    isForSandboxes: protection.bwrap !== null,
    box: async (reach) => await sandbox.box(await ground(), reach),
  };
}
