import type { Scope } from '../../../../schema/scope.ts';
import { readObjects } from '../../../checkpoints/tree.ts';
import { withCommentsAlone } from '../../../proof/canaries/comments-alone.ts';
import type { Round } from '../../../proof/canaries/series.ts';
import { isCode } from '../../../proof/scope/code-files.ts';
import { scopeTest } from '../../../proof/scope/scope.ts';
import type { ProofTree } from '../proof-tree.ts';
import { textOf } from '../text-of.ts';
import { listed } from './words.ts';

/**
 * Comments are no work: where those of the work let the original hold, they took something out of
 * sight.
 *
 * @param holds whether the original holds with these texts
 * @returns null where they change nothing
 */
export async function whyHidden(
  tree: ProofTree,
  scope: Scope,
  holds: (comments: Round) => Promise<boolean>,
): Promise<string | null> {
  const { comments, untold } = await commentsAlone(tree, scope);
  if (untold.length > 0) return notTold(untold);
  return comments.size > 0 && (await holds(comments)) ? COMMENTS : null;
}

const COMMENTS = 'the comments of the work let the original hold, with nothing else of it';

const notTold = (paths: readonly string[]): string =>
  `too much of these files is new to tell their comments from their code: ${listed(paths)}`;

/** Contents that are held at once. */
const BATCH = 20;

/**
 * Files of the original with the comments of the work alone, however large they are, and those whose
 * comments nobody can tell.
 */
async function commentsAlone(
  { store, entries, original }: ProofTree,
  scope: Scope,
): Promise<{ readonly comments: Round; readonly untold: readonly string[] }> {
  const isWork = scopeTest(scope);
  const changed = [...(original ?? [])].flatMap(([path, { kind, object }]) => {
    const now = entries.get(path);
    const isOther = kind === 'file' && now?.kind === 'file' && now.object !== object;
    return isOther && isCode(path) && isWork(path) ? [{ path, object, now: now.object }] : [];
  });
  const comments = new Map<string, string>();
  const untold: string[] = [];
  for (let at = 0; at < changed.length; at += BATCH) {
    const some = changed.slice(at, at + BATCH);
    const contents = await readObjects(
      store,
      some.flatMap(({ object, now }) => [object, now]),
    );
    for (const [index, { path }] of some.entries()) {
      const [before, now] = contents.slice(2 * index, 2 * index + 2).map(textOf);
      const alone = withCommentsAlone(path, before ?? '', now ?? '');
      if (alone === undefined) untold.push(path);
      else if (alone !== null) comments.set(path, alone);
    }
  }
  return { comments, untold };
}
