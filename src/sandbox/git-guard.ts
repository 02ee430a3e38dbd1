import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../process/process-identity.ts';
import { gitPlaces } from './git-places.ts';
import { GitUnanswered } from './git-settings.ts';
import { type CommandReach, type Tampering, tamperingIn } from './git-tampering.ts';
import { isWithin } from './mounts.ts';
import { openUp } from './safe-read.ts';

/** Removes what one command leaves in repositories that git would run later. */
export interface GitGuard {
  /** @throws TamperingLeft, GitUnanswered */
  tidy(): Promise<Tidied>;
  /** The command may still be running, so the next guard has to look again. */
  lose(): void;
}

/** In words, for people. */
export interface Tidied {
  /** The removed settings and files. */
  readonly disarmed: readonly string[];
  /** Findings that stay, because a person may have made them as well as a command. */
  readonly undecided: readonly string[];
}

/** A command's leftovers can't be found or removed, so no other command may run there. */
export class TamperingLeft extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`git settings that a command may have left could not be taken away: ${why}`, { cause });
    this.name = 'TamperingLeft';
  }
}

/**
 * Called before a command begins. Settings that exist by then stay, because a person works in the
 * same repository. Later changes until the command's end count as the command's, also if its
 * worker dies meanwhile.
 *
 * @param folder the goal's own, out of reach of its commands
 * @throws TamperingLeft, GitUnanswered
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
  earlier.push(...(await keysOfRunning(folder, look)));
  const before = await orTamperingLeft(() => findingsNow(look));
  earlier.push(...(await keysOfRunning(folder, look)));
  const undecided = untold.length === 0 ? [] : await sinceBaseline(folder, before);
  // A command without a seen end may have gone on after its cleanup. What came under a command that
  // runs still is that one's: it is taken away, and could be put there again by this one.
  const keys = before
    .map(({ key }) => key)
    .filter((key) => earlier.every((keysThen) => keysThen.has(key)));
  const mark = join(folder, RUNNING, `${processName()}-${randomUUID()}`);
  await store(mark, { reach: look.reach, sealed: [...look.sealed], keys });
  own.add(mark);
  return {
    async tidy() {
      own.delete(mark);
      const disarmed = await orTamperingLeft(() => takeAll(look, keys));
      for (const done of [mark, ...untold]) await rm(done, { force: true });
      return { disarmed, undecided: undecided.filter((what) => !disarmed.includes(what)) };
    },
    lose: () => void own.delete(mark),
  };
}

/** Runs at a worker's start, for commands whose worker died and whose goal may never go on. */
export async function tidyLeftBehind(folder: string): Promise<void> {
  for (const mark of await leftMarks(folder)) await tidyAfter(mark);
}

/**
 * @returns keys of the findings from before the command. If these are unknown, nothing is removed,
 * and the mark stays until that is reported. A missing mark means that another process cleaned up.
 */
async function tidyAfter(mark: string): Promise<readonly string[] | 'unknown' | 'gone'> {
  const text = await readFile(mark, 'utf8').catch(ifGone);
  if (text === null) return 'gone';
  const { reach, sealed, keys } = storedLook(text);
  if (keys === undefined) return 'unknown';
  await orTamperingLeft(() => takeAll({ reach, sealed: new Set(sealed) }, keys));
  await rm(mark, { force: true });
  return keys;
}

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** A power loss can leave an empty mark. */
function storedLook(text: string): StoredLook {
  try {
    return JSON.parse(text) as StoredLook;
  } catch {
    return { reach: [], sealed: [] };
  }
}

/** Earlier versions kept a list of what was there before the goal's first command. */
async function sinceBaseline(folder: string, findings: readonly Tampering[]): Promise<string[]> {
  const keys = await readFile(join(folder, 'git-baseline.json'), 'utf8')
    .then((text) => JSON.parse(text) as string[])
    .catch(() => []);
  const before = new Set(keys);
  return [...new Set(findings.filter(({ key }) => !before.has(key)).map(({ what }) => what))];
}

interface StoredLook {
  readonly reach: readonly string[];
  readonly sealed: readonly string[];
  /** Keys of the findings when the command began; earlier versions stored none. */
  readonly keys?: readonly string[];
}

/** Writes atomically by a rename, because half a mark would block every further command. */
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

/** Marks of commands without a cleanup. */
async function leftMarks(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, RUNNING)).catch(() => []);
  return names
    .filter((name) => !name.endsWith(HALF) && !isOfAnother(name))
    .map((name) => join(folder, RUNNING, name))
    .filter((mark) => !own.has(mark));
}

/** Of what lay there as other commands began that run now in the same folders, of any goal. */
async function keysOfRunning(folder: string, look: CommandReach): Promise<Set<string>[]> {
  const goals = dirname(folder);
  const found: Set<string>[] = [];
  for (const goal of await readdir(goals).catch(() => [])) {
    const running = join(goals, goal, RUNNING);
    for (const name of await readdir(running).catch(() => [])) {
      const mark = join(running, name);
      if (name.endsWith(HALF) || !(own.has(mark) || isOfAnother(name))) continue;
      const { reach, keys } = storedLook((await readFile(mark, 'utf8').catch(ifGone)) ?? '');
      if (keys !== undefined && touches(reach, look.reach)) found.push(new Set(keys));
    }
  }
  return found;
}

const touches = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one) => others.some((other) => isWithin(one, other) || isWithin(other, one)));

const processName = (): string => nameOfProcess(identifyRunning(process.pid));

/** The mark belongs to another live worker, which cleans up itself. */
function isOfAnother(name: string): boolean {
  const owner = processInName(name);
  return owner !== null && owner.pid !== process.pid && isRunning(owner);
}

const findingsNow = async (look: CommandReach): Promise<Tampering[]> =>
  tamperingIn(await gitPlaces(look.reach), look);

/** @param keys of the findings from before the command */
async function takeAll(look: CommandReach, keys: readonly string[]): Promise<string[]> {
  const before = new Set(keys);
  const left = async () => (await findingsNow(look)).filter(({ key }) => !before.has(key));
  const findings = await left();
  for (const finding of findings) await finding.take();
  // A removed setting may have hidden another one.
  const rest = findings.length === 0 ? [] : await takeRest(await left(), left);
  return [...new Set([...findings, ...rest].map(({ what }) => what))];
}

async function takeRest(
  findings: readonly Tampering[],
  left: () => Promise<readonly Tampering[]>,
): Promise<readonly Tampering[]> {
  if (findings.length === 0) return [];
  for (const finding of findings) await finding.take();
  const [still] = await left();
  if (still !== undefined) throw new Error(`${still.what} is still there`);
  return findings;
}

async function orTamperingLeft<Done>(act: () => Promise<Done>): Promise<Done> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof GitUnanswered) throw error;
    throw new TamperingLeft(error);
  }
}
