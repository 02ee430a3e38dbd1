import { stat } from 'node:fs/promises';
import type { Checkpoints } from '../../schema/checkpoint.ts';
import type { ChangedGoal, ChangesPort, Ends } from '../contract/changes.ts';
import type { StoredCheckpoint } from '../contract/checkpoints.ts';
import { Refusal } from '../contract/failures.ts';
import type { WorkspaceReader } from '../contract/workspace-reads.ts';
import type { WritingRow } from '../proof/written-by.ts';
import { checkpointAt, noCheckpointText } from '../record/mutation/rewind.ts';
import { changedFiles, diffSnapshots, filesOfEnds } from './diff.ts';
import { fileChanges } from './file-changes.ts';
import { createHeldPresents } from './held-present.ts';
import { type Between, listChanges, readAhead } from './list-changes.ts';
import { withPresent } from './peek.ts';
import { hasStore, storeOf } from './store.ts';
import { StoreFailed, type StorePlace } from './store-git.ts';

export interface ChangesGround {
  readonly home: string;
  /** The host of this process. */
  readonly host: string;
  readonly mask: <Value>(value: Value) => Value;
  readonly checkpoints: (goalId: string) => Promise<StoredCheckpoint[]>;
  /** Whether the goal wrote, until the end of this turn, what the checkpoint doesn't have. */
  readonly isLeft: (goalId: string, one: StoredCheckpoint, turn: number) => Promise<boolean>;
  readonly rewinds: (goalId: string) => Promise<Checkpoints['rewinds']>;
  readonly folderOf: WorkspaceReader['folderOf'];
  /** Ends of calls that tell who wrote this file, and what ran; oldest first. */
  readonly writingRows: (goalId: string, path: string) => Promise<WritingRow[]>;
}

export function createChanges(ground: ChangesGround): ChangesPort {
  const presents = createHeldPresents(ground.home);

  /** @param isFresh the present is looked at now */
  async function looking<Result>(
    { goalId }: Pick<ChangedGoal, 'goalId'>,
    query: Ends,
    isFresh: boolean,
    look: (range: Range) => Promise<Result>,
  ): Promise<Result> {
    const all = await ground.checkpoints(goalId);
    const ends = await endsOf(ground, goalId, all, query);
    const isPresent = ends.from === 'now' || ends.to === 'now';
    const folder = await folderHere(ground, goalId, isPresent);
    const show = (place: StorePlace, present: string, leftOut: readonly string[]) => {
      const commitOf = (end: End) => (end === 'now' ? present : end.commit);
      const names = { from: nameOf(ends.from), to: nameOf(ends.to) };
      const between = betweenEnds(all, ends.from, ends.to);
      const isNow = ends.to === 'now';
      const original = all[0]?.commit ?? commitOf(ends.from);
      const commits = { place, from: commitOf(ends.from), to: commitOf(ends.to), original };
      return look({ ...commits, names, between, isNow, leftOut: leftOut.slice(0, 20) });
    };
    const made = isPresent
      ? presents.use({ goalId, workspace: folder, isFresh }, (present) =>
          show(present.place, present.commit, present.leftOut),
        )
      : show(storeOf(ground.home, goalId), '', []);
    return ground.mask(await made.catch(asRefusal));
  }

  return {
    list: (goal, query) =>
      looking(goal, query, true, async ({ names, leftOut, ...between }) => ({
        ...names,
        ...(await listChanges(between, goal, query)),
        leftOut: [...leftOut],
      })),

    async file(goal, path, query) {
      const { goalId, criteria } = goal;
      // Git would tell where the service keeps its checkpoints.
      if (path.startsWith('/') || path.split('/').includes('..')) {
        throw new Refusal('not_found', `${path} is no path in the workspace`, { field: 'path' });
      }
      const rows = await ground.writingRows(goalId, path);
      return await looking(goal, query, false, async ({ names, leftOut, ...range }) => {
        const name = await changedName(range, path, ground.mask);
        if (name !== null) {
          const about = { ...range, criteria, rows, mask: ground.mask };
          return { ...names, path, ...(await fileChanges(about, name, query)) };
        }
        const why = leftOut.includes(path)
          ? `${path} is in no checkpoint: it is too large, or can't be read`
          : `No file ${path} differs between ${names.from} and ${names.to}`;
        throw new Refusal('not_found', why, { field: 'path' });
      });
    },

    async checkpoints(goalId) {
      const [stored, rewinds] = await Promise.all([
        ground.checkpoints(goalId),
        ground.rewinds(goalId),
      ]);
      const [first, last] = [stored[0], stored.at(-1)];
      if (first !== undefined && last !== undefined && first !== last) {
        const place = storeOf(ground.home, goalId);
        // Whoever asks for it is told what is wrong with it.
        readAhead(place, first.commit, last.commit).catch(() => {});
      }
      const checkpoints = stored.map(({ commit: _, todoRevision: __, ...shown }) => shown);
      return ground.mask({ checkpoints, rewinds });
    },

    async diff(goal, query) {
      const { goalId } = goal;
      const all = await ground.checkpoints(goalId);
      const ends = await endsOf(ground, goalId, all, query);
      const isNow = ends.from === 'now' || ends.to === 'now';
      const folder = await folderHere(ground, goalId, isNow);
      const show = async (place: StorePlace, present: string, leftOut: readonly string[]) => {
        const [from, to] = [ends.from, ends.to].map((end) =>
          end === 'now' ? present : end.commit,
        );
        const page = await diffSnapshots(place, from ?? '', to ?? '', query);
        const [shownFrom, shownTo] = [ends.from, ends.to].map((end) => nameOf(end));
        return { from: shownFrom ?? '', to: shownTo ?? '', ...page, leftOut: leftOut.slice(0, 20) };
      };
      const made = isNow
        ? withPresent(ground.home, goalId, folder, show)
        : show(storeOf(ground.home, goalId), '', []);
      return ground.mask(await made.catch(asRefusal));
    },
  };
}

interface Range extends Between {
  readonly names: { readonly from: string; readonly to: string };
  /** Checkpoints behind the first end up to the other one. */
  readonly between: readonly StoredCheckpoint[];
  readonly isNow: boolean;
  readonly leftOut: readonly string[];
}

type End = StoredCheckpoint | 'now';

/**
 * The changed file that a list shows by this name, in which a secret is masked; null = there is none.
 * @throws Refusal where the list shows several files alike
 */
async function changedName(
  { place, from, to }: Between,
  shown: string,
  mask: (text: string) => string,
): Promise<string | null> {
  const changed = await changedFiles(place, await filesOfEnds(place, from, to));
  const paths = changed.map(({ file }) => file.path);
  if (paths.includes(shown)) return shown;
  const alike = paths.filter((path) => mask(path) === shown);
  if (alike.length <= 1) return alike[0] ?? null;
  const why = `The names of ${alike.length} files are shown as ${shown}: nothing tells them apart`;
  throw new Refusal('not_found', why, { field: 'path' });
}

/** None where the ends stand the other way round. */
function betweenEnds(all: readonly StoredCheckpoint[], from: End, to: End): StoredCheckpoint[] {
  const place = (end: End) =>
    end === 'now' ? all.length : all.findIndex(({ name }) => name === end.name);
  return all.slice(place(from) + 1, place(to) + 1);
}

const nameOf = (end: End): string => (end === 'now' ? end : end.name);

type Kept = readonly StoredCheckpoint[];

/** @throws Refusal */
async function endsOf(
  ground: ChangesGround,
  goalId: string,
  all: Kept,
  { from = 'first', to = 'now' }: Ends,
): Promise<{ readonly from: End; readonly to: End }> {
  const isLeft = (one: StoredCheckpoint, turn: number) => ground.isLeft(goalId, one, turn);
  const end = (asked: string, field: 'from' | 'to') => endOf(all, asked, field, isLeft);
  return { from: await end(from, 'from'), to: await end(to, 'to') };
}

/** @throws Refusal */
async function endOf(
  all: Kept,
  asked: string,
  field: 'from' | 'to',
  isLeft: (one: StoredCheckpoint, turn: number) => Promise<boolean>,
): Promise<End> {
  if (asked === 'now') return asked;
  const named = asked === 'first' ? all[0] : all.find(({ name }) => name === asked);
  if (named !== undefined) return named;
  const turn = /^\d+$/.test(asked) ? Number(asked) : null;
  const found = turn === null ? null : checkpointAt(all, turn);
  if (turn !== null && found !== null && !(await isLeft(found, turn))) return found;
  throw new Refusal('not_found', noEndText(all, asked, turn), {
    ...(all.length === 0 ? {} : { field }),
    checkpoints: all.map(({ name }) => name).slice(0, 100),
  });
}

function noEndText(all: Kept, asked: string, turn: number | null): string {
  if (all.length === 0)
    return 'The goal has no checkpoint: it wrote nothing yet, or none could be made';
  if (turn !== null) return `The goal ${noCheckpointText(turn)}`;
  const newest = all.slice(-10).map(({ name }) => name);
  const which =
    newest.length < all.length ? `the newest are ${newest.join(', ')}` : newest.join(', ');
  return `There is no checkpoint ${asked}; it has ${which}`;
}

/**
 * The goal's folder, on this machine; checkpoints are compared without it.
 * @throws Refusal
 */
async function folderHere(
  { home, host, folderOf }: ChangesGround,
  goalId: string,
  isLookedAt: boolean,
): Promise<string> {
  const own = (await folderOf(goalId)) ?? { path: '', host };
  if (own.host !== host) {
    throw new Refusal('unsupported', `The files are on ${own.host}: ask an API that runs there`, {
      host: own.host,
    });
  }
  if (!(await hasStore(storeOf(home, goalId)))) {
    throw new Refusal(
      'not_found',
      'The checkpoints of the goal are gone: it was cleared, or is long over',
    );
  }
  if (isLookedAt && (await stat(own.path).catch(() => null)) === null) {
    throw new Refusal('not_found', `There is no folder ${own.path} any more: give "to" as a turn`);
  }
  return own.path;
}

function asRefusal(error: unknown): never {
  if (!(error instanceof StoreFailed)) throw error;
  throw new Refusal('not_found', `The checkpoints can't be read: ${error.message}`);
}
