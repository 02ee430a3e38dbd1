import type { CheckerSetting } from '../../schema/checker.ts';
import { normalisePath } from '../proof/evidence.ts';
import { ruledWorkspace } from '../workspace/ruled-workspace.ts';
import type { Checker } from './checker.ts';
import { parseAny } from './parse.ts';

const PLACE = '{paths}';

/**
 * A checker of the workspace's policy. Whether it is installed, its command tells: it may be a
 * whole line of shell.
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

/** Those of the project, with the configured ones in the place of what they are named after. */
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

/** What the policy of a goal's workspace adds. */
export const checkersOf = (
  { workspaceRules }: Ruled,
  { workspace }: { readonly workspace: Parameters<typeof ruledWorkspace>[0] },
): readonly CheckerSetting[] => workspaceRules?.(ruledWorkspace(workspace)).checkers ?? [];
