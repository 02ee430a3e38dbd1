import { createHash } from 'node:crypto';
import type { ChangedHunk, FileChanges } from '../../schema/changes.ts';
import { type DiffHunk, hunksOf, numbered, pageOfHunks } from '../../schema/unified-diff.ts';
import type { ChangedGoal } from '../contract/changes.ts';
import type { StoredCheckpoint } from '../contract/checkpoints.ts';
import { type LineOrigins, lineOrigins, linesOf } from '../proof/line-origins.ts';
import { madeStaleBy, type StepWriters, type WritingRow, writersOf } from '../proof/written-by.ts';
import { binaryEnds } from './binary-ends.ts';
import { diffText, filesOfEnds } from './diff.ts';
import type { Between } from './list-changes.ts';
import { objectsAt } from './objects-at.ts';
import { readObjects } from './tree.ts';

/** A longer line is cut, with a mark that says how much. */
const MAX_WIDTH = 2_000;
/** Of larger files, and of more versions, nobody says who wrote which line. */
const MAX_BYTES = 1024 * 1024;
const MAX_VERSIONS = 300;

interface Ground extends Between, Pick<ChangedGoal, 'criteria'> {
  /** Checkpoints behind `from` up to `to`, oldest first. */
  readonly between: readonly StoredCheckpoint[];
  readonly isNow: boolean;
  readonly rows: readonly WritingRow[];
  readonly mask: (text: string) => string;
}

/** The lines of a file that differs between two snapshots, and who wrote them. */
export async function fileChanges(
  ground: Ground,
  path: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Pick<FileChanges, 'isBinary' | 'binary' | 'hunks' | 'nextCursor'>> {
  const { place, from, to } = ground;
  const text = await diffText(place, await filesOfEnds(place, from, to), path, '--patch');
  const hunks = hunksOf(text);
  const isBinary = hunks.length === 0 && /^Binary files .* differ$/m.test(text);
  const page = pageOfHunks(hunks, offset, limit);
  const tell = await teller(ground, path);
  return {
    isBinary,
    binary: isBinary ? await binaryEnds(ground, path, ground.mask) : null,
    hunks: page.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(cut), ...tell(hunk) })),
    nextCursor: page.next === null ? null : String(page.next),
  };
}

function cut(line: string): string {
  const more = line.length - MAX_WIDTH;
  return more <= 0 ? line : `${line.slice(0, MAX_WIDTH)} … (${more} characters more)`;
}

type Told = Pick<ChangedHunk, 'turns' | 'rows' | 'unknown' | 'madeStale'>;

const untold = (unknown: string): Told => ({ turns: [], rows: [], unknown, madeStale: [] });

async function teller(ground: Ground, path: string): Promise<(hunk: DiffHunk) => Told> {
  const versions = await versionsOf(ground, path);
  if (typeof versions === 'string') return () => untold(versions);
  const origins = lineOrigins(versions.map(({ content }) => linesOf(content)));
  if (origins === null) return () => untold('its versions differ too much to be compared');
  const steps = versions.slice(1).map(({ turn, hash }, index) => {
    const writers = writersOf(
      { turn, before: versions[index]?.hash ?? null, after: hash },
      ground.rows,
    );
    return { turn, ...writers };
  });
  return (hunk) =>
    toldOf(
      stepsOf(hunk, origins).flatMap((step) => steps[step] ?? []),
      ground,
    );
}

function toldOf(
  steps: readonly (StepWriters & { readonly turn: number | null })[],
  { criteria, rows }: Pick<Ground, 'criteria' | 'rows'>,
): Told {
  if (steps.length === 0) return untold('the checkpoints do not tell when it was written');
  const written = steps.flatMap((step) => step.rows).toSorted((one, other) => one.seq - other.seq);
  const turns = new Set(steps.flatMap(({ turn }) => (turn === null ? [] : [turn])));
  const stale = written.flatMap(({ seq }) => madeStaleBy(seq, criteria, rows));
  return {
    turns: [...turns].sort((one, other) => one - other),
    rows: written.map(({ seq, turn, tool }) => ({ seq, turn, tool })),
    unknown: steps.find(({ unknown }) => unknown !== null)?.unknown ?? null,
    madeStale: [...new Set(stale)],
  };
}

/** The steps that wrote or removed lines of a hunk. */
function stepsOf(hunk: DiffHunk, { written, removed }: LineOrigins): number[] {
  const steps = new Set<number>();
  for (const { sign, before, after } of numbered(hunk)) {
    const step = sign === '+' ? written[(after ?? 0) - 1] : removed[(before ?? 0) - 1];
    if ((sign === '+' || sign === '-') && step !== null && step !== undefined) steps.add(step);
  }
  return [...steps].sort((one, other) => one - other);
}

interface Version {
  /** The turn whose end it is; null = it is no turn's. */
  readonly turn: number | null;
  readonly content: Buffer | null;
  /** SHA-256; null = there was no file. */
  readonly hash: string | null;
}

/** The file at each checkpoint between the two ends, where it differs; a reason where it can't be told. */
async function versionsOf(
  { place, from, to, between, isNow, rows }: Ground,
  path: string,
): Promise<Version[] | string> {
  if (path.includes('\n')) return 'its name has a line break';
  const newest = Math.max(0, ...rows.map(({ turn }) => turn));
  const lastTurn = between.findLast(({ kind }) => kind === 'turn')?.turn ?? -1;
  const points = [
    { commit: from, turn: null },
    ...between.map(({ commit, kind, turn }) => ({ commit, turn: kind === 'turn' ? turn : null })),
    // The turn that runs has no checkpoint yet.
    ...(isNow ? [{ commit: to, turn: newest > lastTurn ? newest : null }] : []),
  ];
  const objects = await objectsAt(
    place,
    points.map(({ commit }) => `${commit}:files/${path}`),
  );
  const changing = points.flatMap(({ turn }, index) => {
    const { object, bytes } = objects[index] ?? { object: null, bytes: 0 };
    return index > 0 && objects[index - 1]?.object === object ? [] : [{ turn, object, bytes }];
  });
  if (changing.length > MAX_VERSIONS) return 'it was written too often';
  if (changing.some(({ bytes }) => bytes > MAX_BYTES)) return 'it is too large';
  const contents = await readObjects(
    place,
    changing.flatMap(({ object }) => object ?? []),
  );
  return changing.map(({ turn, object }) => {
    const content = object === null ? null : (contents.shift() ?? null);
    return { turn, content, hash: content === null ? null : sha256(content) };
  });
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
