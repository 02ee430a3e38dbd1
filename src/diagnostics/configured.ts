import type { CheckerSetting } from '../../schema/checker.ts';
import { normalisePath } from '../proof/evidence.ts';
import { ruledWorkspace } from '../workspace/ruled-workspace.ts';
import type { Checker } from './checker.ts';
import { parseAny } from './parse.ts';

const PLACE = '{paths}';

/**
 * A checker of the workspace's policy. Its command may be a whole shell line, so only running it
 * shows whether it is installed.
 *
 * @param paths shell words of what was asked for; empty = everything
 */
export function configuredChecker(setting: CheckerSetting, paths: string): Checker {
  const { name, command, configuration = [] } = setting;
  const files = new Set(configuration.map(normalisePath));
  return {
    name,
    command: command.replaceAll(PLACE, () => paths || '.'),
    isNarrowed: command.includes(PLACE),
    program: /^\s*([\w./@+-]+)/.exec(command)?.[1] ?? 'bash',
    configuration: { test: (path) => files.has(path) },
    parse: parseAny,
  };
}

/** The project's checkers; a configured one replaces the checker of the same name. */
export function withConfigured<Known extends Checker>(
  known: readonly Known[],
  configured: readonly Known[],
): Known[] {
  const names = new Set(configured.map(({ name }) => name));
  return [...known.filter(({ name }) => !names.has(name)), ...configured];
}

interface Ruled {
  readonly workspaceRules?: (name: string) => { readonly checkers: readonly CheckerSetting[] };
}

/** The checkers that the policy of a goal's workspace adds. */
export const checkersOf = (
  { workspaceRules }: Ruled,
  { workspace }: { readonly workspace: Parameters<typeof ruledWorkspace>[0] },
): readonly CheckerSetting[] => workspaceRules?.(ruledWorkspace(workspace)).checkers ?? [];
