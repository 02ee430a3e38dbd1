import type { RefusedWorkspace } from '../../schema/operations.ts';
import { Refusal } from '../contract/failures.ts';

interface Serving {
  /** Registers those that are not yet, so that what was refused is served once the reason is gone. */
  register(): Promise<void>;
  refused(): readonly RefusedWorkspace[];
}

interface Log {
  info(what: object, message: string): void;
  error(what: object, message: string): void;
}

/**
 * One that can't be served keeps no other from being served; it is told wherever people look.
 * @param entries NAME=PATH each
 */
export function serveWorkspaces(
  entries: readonly string[],
  registry: { registerAs(name: string, path: string): Promise<unknown> },
  log: Log,
): Serving {
  let refused: readonly RefusedWorkspace[] = entries.map((entry) => {
    const [name = '', ...parts] = entry.split('=');
    return { name, path: parts.join('='), why: '' };
  });
  async function register(one: RefusedWorkspace): Promise<RefusedWorkspace | null> {
    const { name, path } = one;
    try {
      await registry.registerAs(name, path);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { message: why } = error;
      if (why !== one.why) log.error({ workspace: name, path, why }, 'a workspace is not served');
      return { name, path, why };
    }
    if (one.why !== '') log.info({ workspace: name, path }, 'the workspace is served now');
    return null;
  }
  return {
    async register() {
      const left: RefusedWorkspace[] = [];
      for (const one of refused) {
        const still = await register(one);
        if (still !== null) left.push(still);
      }
      refused = left;
    },
    refused: () => refused,
  };
}
