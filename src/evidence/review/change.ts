import { TooLarge } from '../../checkpoints/look.ts';
import { isAboutTheStore } from '../../checkpoints/store-git.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import { renderDiff } from '../../proof/line-diff.ts';
import { type Comparison, withComparison } from '../../proof-place/original.ts';
import type { TreeChange } from '../../proof-place/tree-changes.ts';
import { resolveInside } from '../../workspace/paths.ts';
import { readResolvedFile } from '../../workspace/regular-file.ts';
import { shownPath } from '../../workspace/shown-path.ts';
import type { GateRun } from '../criterion-check.ts';
import { cutFairly } from './cut-fairly.ts';

/** Characters of a change that a reviewer reads. */
const LONGEST_CHANGE = 80_000;
const MOST_FILES = 400;
const MOST_LINES_OF_FILE = 2000;
const LONGEST_FILE_BYTES = 1024 * 1024;

/**
 * The change for a reviewer, by the host's own look at both trees: no attribute or setting of the
 * repository decides what shows. Where the original was not kept, the written files whole.
 */
export async function readChange(gate: GateRun): Promise<string> {
  const { ports, brief, input } = gate;
  const ground = brief.baseline?.proof;
  if (ground === undefined || 'reason' in ground) return await writtenFiles(gate, () => true);
  const place = { home: ports.home, goalId: input.goalId, workspace: brief.workspace.path };
  try {
    return await withComparison(place, ground.original, async (trees) => {
      const compared = new Set(trees.changes.map(({ path }) => path));
      const beside = await writtenFiles(gate, (path) => isBeside(trees, compared, path));
      const change = await shownChange(trees);
      return beside === NOTHING ? change : `${change}\n\nIgnored by git, not delivered:\n${beside}`;
    });
  } catch (error) {
    if (!(isAboutTheStore(error) || error instanceof TooLarge)) throw error;
    return await writtenFiles(gate, () => true);
  }
}

const NOTHING = '(nothing was changed)';

const isBeside = (
  { original, unseen }: Comparison,
  compared: ReadonlySet<string>,
  path: string,
): boolean => !compared.has(path) && !original.entries.has(path) && !unseen.includes(path);

async function shownChange({ place, changes, unseen }: Comparison): Promise<string> {
  if (changes.length + unseen.length === 0) return NOTHING;
  const contentOf = async (entry: TreeEntry | null) =>
    entry === null ? null : ((await readObjects(place, [entry.object]))[0] ?? null);
  const parts: string[] = [];
  for (const change of changes.slice(0, MOST_FILES)) {
    const [before, now] = [await contentOf(change.before), await contentOf(change.now)];
    parts.push(`${headOf(change)}\n${renderDiff(before, now, MOST_LINES_OF_FILE)}`);
  }
  const large = unseen.map((path) => `=== ${shownPath(path)} (too large to be shown, or unread)`);
  return cutFairly([...parts, ...large, ...restOf(changes.length)], LONGEST_CHANGE);
}

const restOf = (files: number): string[] =>
  files > MOST_FILES ? [`=== ${files - MOST_FILES} more files, which are not shown`] : [];

function headOf({ path, before, now }: TreeChange): string {
  const what = before === null ? 'added' : now === null ? 'removed' : 'changed';
  const kind = (now ?? before)?.kind === 'link' ? ' link' : '';
  const modes = [before, now].map((entry) => entry?.mode.toString(8));
  const isSameMode = modes[0] === modes[1] || modes.includes(undefined);
  return `=== ${shownPath(path)} (${what}${kind}${isSameMode ? '' : `, mode ${modes[0]} → ${modes[1]}`})`;
}

/** As they are now: nobody kept how they were. */
async function writtenFiles(
  { receipts, brief }: GateRun,
  isMeant: (path: string) => boolean,
): Promise<string> {
  const written = new Set(receipts.flatMap(({ receipt }) => receipt?.writes ?? []));
  const parts: string[] = [];
  const paths = [...written].filter(isMeant).sort();
  for (const path of paths.slice(0, MOST_FILES)) {
    const content = await resolveInside(brief.workspace.path, path)
      .then(({ absolute }) => readResolvedFile(absolute, LONGEST_FILE_BYTES))
      .catch((error: Error) => error);
    const name = `=== ${shownPath(path)}`;
    if (content === null) parts.push(`${name} (gone)`);
    else if (content instanceof Error) parts.push(`${name} (can't be shown: ${content.message})`);
    else parts.push(`${name}\n${renderDiff(null, content, MOST_LINES_OF_FILE)}`);
  }
  return parts.length === 0
    ? NOTHING
    : cutFairly([...parts, ...restOf(paths.length)], LONGEST_CHANGE);
}
