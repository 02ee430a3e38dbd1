import type { FileChange, GoalChanges } from '../../schema/changes.ts';
import type { ChangedGoal } from '../contract/changes.ts';
import { partsOf } from '../proof/proof-parts.ts';
import { nameOf } from '../proof/scope/code-files.ts';
import { judgedBy, saysWhatRuns } from '../proof/scope/judged-files.ts';
import { changedFiles, filesOfEnds } from './diff.ts';
import type { DiffEntry } from './diff-entry.ts';
import type { StorePlace } from './store-git.ts';
import type { StoredTree } from './stored-tree.ts';
import { readObjects, readTree, sizesOfObjects } from './tree.ts';

type Listed = Pick<GoalChanges, 'files' | 'total' | 'nextCursor'>;

export interface Between {
  readonly place: StorePlace;
  /** Commits. */
  readonly from: string;
  readonly to: string;
  /** The commit of the goal's beginning. */
  readonly original: string;
}

/** The files that differ between two snapshots, and what they count as. */
export async function listChanges(
  { place, from, to, original }: Between,
  { criteria, scope }: Pick<ChangedGoal, 'criteria' | 'scope'>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Listed> {
  const [entries, start] = await Promise.all([
    filesOfEnds(place, from, to).then((trees) => changedFiles(place, trees)),
    readTree(place, original),
  ]);
  const beyond = beyondScope(entries, start, { criteria, scope });
  const shown = entries.slice(offset, offset + limit);
  const [judges, sizes] = await Promise.all([
    judgesIn(place, start, { criteria }),
    sizesOf(place, shown),
  ]);
  const files = shown.map(({ file, before, after }): FileChange => {
    const { diff: _, isCut: __, ...told } = file;
    return {
      ...told,
      bytes: { before: sizes.get(before ?? '') ?? null, after: sizes.get(after ?? '') ?? null },
      ...(isGenerated(file.path) ? { isGenerated: true as const } : {}),
      ...(beyond === null
        ? {}
        : { scope: beyond.has(file.path) ? ('beyond' as const) : ('in' as const) }),
      judges: judges(file.path),
    };
  });
  const sum = (part: 'added' | 'removed') =>
    entries.reduce((total, { file }) => total + file[part], 0);
  const next = offset + limit;
  return {
    files,
    total: {
      files: entries.length,
      added: sum('added'),
      removed: sum('removed'),
      beyond: beyond?.size ?? 0,
    },
    nextCursor: next < entries.length ? String(next) : null,
  };
}

/**
 * Who asks for a goal's checkpoints is about to ask what it changed: what that takes of git is read
 * and remembered meanwhile.
 */
export async function readAhead(place: StorePlace, from: string, to: string): Promise<void> {
  const trees = await filesOfEnds(place, from, to);
  const [entries] = await Promise.all([changedFiles(place, trees), readTree(place, from)]);
  await sizesOf(place, entries.slice(0, AHEAD));
}

/** Files whose sizes are read ahead: the first page of a list. */
const AHEAD = 1000;

/** Paths that a proof would leave out; null while the goal has no scope. */
function beyondScope(
  entries: readonly DiffEntry[],
  start: StoredTree,
  { criteria, scope }: Pick<ChangedGoal, 'criteria' | 'scope'>,
): ReadonlySet<string> | null {
  if (scope === undefined) return null;
  const { beyond } = partsOf(entries, {
    scope,
    criteria,
    original: start.entries.keys(),
    // What a person accepted is added to the scope, or told by the gate.
    accepted: {},
    nameOf: ({ file }) => file.path,
    contentOf: ({ after }) => after,
    isDeliverable: () => true,
    isNew: ({ file }) => !start.entries.has(file.path),
  });
  return new Set(beyond.map(({ file }) => file.path));
}

async function judgesIn(
  place: StorePlace,
  { entries }: StoredTree,
  { criteria }: Pick<ChangedGoal, 'criteria'>,
) {
  const telling = [...entries].filter(([path]) => saysWhatRuns(path));
  const contents = await readObjects(
    place,
    telling.map(([, { object }]) => object),
  );
  const texts = new Map(telling.map(([path], index) => [path, contents[index]?.toString() ?? '']));
  return judgedBy([...entries.keys()], (path) => texts.get(path) ?? null, criteria);
}

async function sizesOf(
  place: StorePlace,
  entries: readonly DiffEntry[],
): Promise<ReadonlyMap<string, number>> {
  const objects = [
    ...new Set(entries.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())),
  ];
  const sizes = await sizesOfObjects(place, objects);
  return new Map(objects.map((object, index) => [object, sizes[index] ?? 0]));
}

/** Lock files, and what build tools leave. */
const GENERATED =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|.+\.lock|.+\.min\.(?:js|css)|.+\.(?:js|css)\.map|.+(?:_pb2|\.pb|\.generated)\.\w+)$/i;

const isGenerated = (path: string): boolean => GENERATED.test(nameOf(path));
