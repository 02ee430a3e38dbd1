import type { Judged } from '../../../schema/changes.ts';
import type { TrackedCriterion } from '../../../schema/criteria.ts';
import { normalisePath } from '../evidence.ts';
import { nameOf } from './code-files.ts';
import { testsByName } from './judge-like.ts';
import { filesOfCommands } from './named-files.ts';
import { treeOf } from './tree.ts';

/** Files that say what a command runs. */
export const saysWhatRuns = (path: string): boolean =>
  /^(?:package\.json|(?:GNUm|M|m)akefile|justfile)$/.test(nameOf(path)) &&
  !path.includes('node_modules/');

/**
 * Tells which criteria a file judges, as far as names tell it: a proof finds out more.
 *
 * @param read texts of the files that say what runs; null where there is none
 */
export function judgedBy(
  paths: readonly string[],
  read: (path: string) => string | null,
  criteria: readonly Pick<TrackedCriterion, 'criterionId' | 'spec'>[],
): (path: string) => Judged[] {
  const tree = treeOf({ paths, read, commands: [] }, []);
  const looks = criteria.map(({ criterionId, spec }) => {
    if (spec.kind === 'file') {
      const asked = normalisePath(spec.path);
      return (path: string): Judged[] => (path === asked ? [{ criterionId, how: 'asked' }] : []);
    }
    if (spec.kind !== 'command') return () => [];
    const named = filesOfCommands(tree, [spec.command]);
    const namesTests = [...named.keys()].some(testsByName);
    return (path: string): Judged[] => {
      if (named.has(path)) return [{ criterionId, how: 'named' }];
      return !namesTests && testsByName(path) ? [{ criterionId, how: 'by_name' }] : [];
    };
  });
  return (path) => looks.flatMap((look) => look(path));
}
