import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalProcess, ProcessIdentity } from '../../contract/process-identity.ts';
import {
  isSameProcess,
  listProcesses,
  type ProcessEntry,
  readProcess,
  startTicks,
} from '../../process/process-identity.ts';
import { HelperStillRuns, OtherHost } from './errors.ts';
import { carriesMark, markOf, runsAsHelper } from './mark.ts';

const POLL_MS = 15;
/** Polling one process costs a hundredth of reading all processes of a machine. */
const POLL_INIT_MS = 3;

/**
 * Whose word names the helper: this process's own, which started it, or the record's. Whoever writes
 * the record could name any process there, so such a one is ended only if it runs as a helper does.
 */
export type Named = 'own' | 'recorded';

/**
 * Kills a helper and everything that it started, and returns when all of it is gone. Safe to call
 * for a helper that ended long ago: a later process with the same pid is never touched. Where the
 * kernel ends all that it started with it, only the helper itself is looked at.
 *
 * @param host the name under which the caller itself records helpers
 * @throws OtherHost, HelperStillRuns (after `timeoutMs`, 30 s unless told)
 */
export async function endHelper(
  helper: ProcessIdentity,
  host: string,
  { named = 'own', timeoutMs = 30_000 }: { named?: Named; timeoutMs?: number } = {},
): Promise<void> {
  if (helper.host !== host) throw new OtherHost(helper.host);
  const deadline = performance.now() + timeoutMs;
  const isNamed = (entry: ProcessEntry) =>
    isSameProcess(entry, helper) && (named === 'own' || runsAsHelper(entry.pid));
  if (helper.isInit) return await endInit(helper.pid, isNamed, deadline);
  // A child between fork and exec may show neither session nor mark, so one look isn't enough.
  for (let emptyLooks = 0; emptyLooks < 2; ) {
    const alive = findProcesses(helper, isNamed);
    emptyLooks = alive.length === 0 ? emptyLooks + 1 : 0;
    killAll(alive);
    if (alive.length > 0 && performance.now() > deadline) {
      throw new HelperStillRuns(alive.map(({ pid }) => pid));
    }
    await sleep(POLL_MS);
  }
}

/** A namespace's init dies last, so its death means that nothing in the namespace is left. */
async function endInit(pid: number, isNamed: IsNamed, deadline: number): Promise<void> {
  for (;;) {
    const entry = readProcess(pid);
    if (entry === null || entry.isZombie || !isNamed(entry)) return;
    if (performance.now() > deadline) throw new HelperStillRuns([pid]);
    killAll([entry]);
    await sleep(POLL_INIT_MS);
  }
}

/** For the helper's own end: everything it started, but not itself. */
export function killStarted(helper: LocalProcess): void {
  for (let round = 0; round < 5; round += 1) {
    const started = findProcesses(helper, (entry) => isSameProcess(entry, helper)).filter(
      ({ pid }) => pid !== helper.pid,
    );
    if (started.length === 0) return;
    killAll(started);
  }
}

type IsNamed = (entry: ProcessEntry) => boolean;

function findProcesses(helper: LocalProcess, isNamed: IsNamed): ProcessEntry[] {
  const mark = markOf(helper);
  const entries = listProcesses();
  const found = new Set<number>();
  for (const entry of entries) {
    // A process older than the helper isn't its own, so most of a machine need not be read.
    const isOlder = startTicks(entry) < startTicks(helper);
    const isOurs = isNamed(entry) || (!isOlder && carriesMark(entry.pid, mark));
    if (isOurs) found.add(entry.pid);
  }
  // The kernel reuses no PID while it names a session, so a member of ours proves the session whose
  // leader is gone, but for one that others began: ours are born there among strangers.
  const alive = new Set(entries.map(({ pid }) => pid));
  const foreign = sessionsOfOthers(helper, entries);
  const ours = entries.filter(({ pid }) => found.has(pid)).map(({ session }) => session);
  const sessions = new Set(
    ours.filter((leader) => found.has(leader) || !(alive.has(leader) || foreign.has(leader))),
  );
  for (const entry of entries) if (sessions.has(entry.session)) found.add(entry.pid);
  addDescendants(entries, found);
  return entries.filter(({ pid }) => found.has(pid));
}

/** Begun before the helper: where this process or the helper runs without leading it. */
function sessionsOfOthers(helper: LocalProcess, entries: readonly ProcessEntry[]): Set<number> {
  const born = entries.filter(({ pid }) => pid === process.pid || pid === helper.pid);
  const sessions = new Set(born.map(({ session }) => session));
  sessions.delete(helper.pid);
  // What an outer namespace began has no number in this one.
  return sessions.add(0);
}

function addDescendants(entries: readonly ProcessEntry[], found: Set<number>): void {
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.add(entry.pid);
  }
}

function killAll(entries: readonly ProcessEntry[]): void {
  for (const { pid, startedAt } of entries) {
    if (readProcess(pid)?.startedAt !== startedAt) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
