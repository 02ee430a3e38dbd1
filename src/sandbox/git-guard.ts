import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../process/process-identity.ts';
import { gitPlaces } from './git-places.ts';
import { GitUnanswered } from './git-settings.ts';
import { type CommandReach, type Tampering, tamperingIn } from './git-tampering.ts';
import { openUp } from './safe-read.ts';

/** Of one command: what it leaves in repositories that git would run is taken away again. */
export interface GitGuard {
  /** @throws PlantLeft, GitUnanswered */
  tidy(): Promise<Tidied>;
  /** The command may still be running, so the next guard has to look again. */
  lose(): void;
}

/** In words, for people. */
export interface Tidied {
  /** What was taken away. */
  readonly disarmed: readonly string[];
  /** What is still there: a command may have left it as well as a person. */
  readonly undecided: readonly string[];
}

/** It could not be told what a command left, or not be taken away: nothing else may run there. */
export class PlantLeft extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`git settings that a command may have left could not be taken away: ${why}`, { cause });
    this.name = 'PlantLeft';
  }
}

/**
 * Before a command begins. What is there by then stays as it is: a person works in the same
 * repository. What comes or changes until the command has ended is taken for the command's, also
 * where its worker died under it.
 *
 * @param folder the goal's own, out of reach of its commands
 * @throws PlantLeft, GitUnanswered
 */
export async function guardGit(folder: string, look: CommandReach): Promise<GitGuard> {
  for (const place of look.reach) await openUp(place);
  const earlier: Set<string>[] = [];
  const untold: string[] = [];
  for (const mark of await leftMarks(folder)) {
    const keysThen = await tidyAfter(mark);
    if (keysThen === 'unknown') untold.push(mark);
    else if (keysThen !== 'gone') earlier.push(new Set(keysThen));
  }
  const before = await orPlantLeft(() => plantsNow(look));
  const undecided = untold.length === 0 ? [] : await sinceBaseline(folder, before);
  // A command that nobody saw end may have gone on since it was tidied up after.
  const keys = before
    .map(({ key }) => key)
    .filter((key) => earlier.every((keysThen) => keysThen.has(key)));
  const mark = join(folder, RUNNING, `${processName()}-${randomUUID()}`);
  await store(mark, { reach: look.reach, sealed: [...look.sealed], keys });
  own.add(mark);
  return {
    async tidy() {
      own.delete(mark);
      const disarmed = await orPlantLeft(() => takeAll(look, keys));
      for (const done of [mark, ...untold]) await rm(done, { force: true });
      return { disarmed, undecided: undecided.filter((what) => !disarmed.includes(what)) };
    },
    lose: () => void own.delete(mark),
  };
}

/** As a worker starts: what commands left whose worker died, and whose goal may never go on. */
export async function tidyLeftBehind(folder: string): Promise<void> {
  for (const mark of await leftMarks(folder)) await tidyAfter(mark);
}

/**
 * @returns keys of what was there before its command. Where nobody knows, nothing is taken away,
 * and the mark stays until that is told; where it is gone, somebody else tidied up just now.
 */
async function tidyAfter(mark: string): Promise<readonly string[] | 'unknown' | 'gone'> {
  const text = await readFile(mark, 'utf8').catch(ifGone);
  if (text === null) return 'gone';
  const { reach, sealed, keys } = storedLook(text);
  if (keys === undefined) return 'unknown';
  await orPlantLeft(() => takeAll({ reach, sealed: new Set(sealed) }, keys));
  await rm(mark, { force: true });
  return keys;
}

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** An empty one is of a machine that lost its power. */
function storedLook(text: string): StoredLook {
  try {
    return JSON.parse(text) as StoredLook;
  } catch {
    return { reach: [], sealed: [] };
  }
}

/** Earlier versions kept a list of what was there before the goal's first command. */
async function sinceBaseline(folder: string, plants: readonly Tampering[]): Promise<string[]> {
  const keys = await readFile(join(folder, 'git-baseline.json'), 'utf8')
    .then((text) => JSON.parse(text) as string[])
    .catch(() => []);
  const before = new Set(keys);
  return [...new Set(plants.filter(({ key }) => !before.has(key)).map(({ what }) => what))];
}

interface StoredLook {
  readonly reach: readonly string[];
  readonly sealed: readonly string[];
  /** Of what was there when the command began; earlier versions kept none. */
  readonly keys?: readonly string[];
}

/** Written beside and renamed: half a mark would stand against every further command. */
async function store(mark: string, look: StoredLook): Promise<void> {
  const scratch = `${mark}${HALF}`;
  await mkdir(join(mark, '..'), { recursive: true });
  await writeFile(scratch, JSON.stringify(look));
  await rename(scratch, mark);
}

const HALF = '.half';
const RUNNING = 'running';
/** Marks of commands that run in this process. */
const own = new Set<string>();

/** Of commands that nobody tidied after. */
async function leftMarks(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, RUNNING)).catch(() => []);
  return names
    .filter((name) => !name.endsWith(HALF) && !isOfAnother(name))
    .map((name) => join(folder, RUNNING, name))
    .filter((mark) => !own.has(mark));
}

const processName = (): string => nameOfProcess(identifyRunning(process.pid));

/** Of a worker that lives: it tidies up itself. */
function isOfAnother(name: string): boolean {
  const owner = processInName(name);
  return owner !== null && owner.pid !== process.pid && isRunning(owner);
}

const plantsNow = async (look: CommandReach): Promise<Tampering[]> =>
  tamperingIn(await gitPlaces(look.reach), look);

/** @param keys of what was there before */
async function takeAll(look: CommandReach, keys: readonly string[]): Promise<string[]> {
  const before = new Set(keys);
  const left = async () => (await plantsNow(look)).filter(({ key }) => !before.has(key));
  const plants = await left();
  for (const plant of plants) await plant.take();
  // What is taken away may have hidden something else.
  const rest = plants.length === 0 ? [] : await takeRest(await left(), left);
  return [...new Set([...plants, ...rest].map(({ what }) => what))];
}

async function takeRest(
  plants: readonly Tampering[],
  left: () => Promise<readonly Tampering[]>,
): Promise<readonly Tampering[]> {
  if (plants.length === 0) return [];
  for (const plant of plants) await plant.take();
  const [still] = await left();
  if (still !== undefined) throw new Error(`${still.what} is still there`);
  return plants;
}

async function orPlantLeft<Done>(act: () => Promise<Done>): Promise<Done> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof GitUnanswered) throw error;
    throw new PlantLeft(error);
  }
}
