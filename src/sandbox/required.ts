import { CommandsRefused } from '../contract/failures.ts';
import type { Sandbox } from './sandbox.ts';

/** Why commands are refused while programs have tokens, with the ways out. */
export const whyRequired = (why: string): string =>
  `a token of role "agent" is valid, so that programs start goals, and there is no whole sandbox: ${why}. ` +
  'Install bubblewrap and let the worker use it (docs/security.md), revoke the token, or accept it by GOALKEEPER_SANDBOX=auto';

/** Refuses commands and servers outside of a whole sandbox for as long as it is required. */
export function requiredWhile(sandbox: Sandbox, isRequired: () => Promise<boolean>): Sandbox {
  const { isolation, why } = sandbox.protection;
  if (isolation === 'full') return sandbox;
  const whyRefused = async () => ((await isRequired()) ? whyRequired(why) : null);
  const assertFree = async () => {
    const reason = await whyRefused();
    if (reason !== null) throw new CommandsRefused(reason);
  };
  return {
    ...sandbox,
    async box(ground, reach) {
      await assertFree();
      return await sandbox.box(ground, reach);
    },
    async boxServer(ground) {
      await assertFree();
      return { ...(await sandbox.boxServer(ground)), whyRefused };
    },
  };
}
