import { setTimeout as sleep } from 'node:timers/promises';

/** A connection of the driver, as it sees itself. */
export interface Line {
  /** When the server was last heard or began to owe an answer, by `performance.now()`; null = it owes none. */
  waitsFrom(): number | null;
  /** Of the session at the server. */
  pid(): number | null;
  /** What waits fails as where the server had closed the connection. */
  cut(): void;
}

/** What a server that was asked by another connection says of sessions; null = it can't be reached. */
export type Told = {
  /** Something between hands on statements, and sessions at the server are not those of lines. */
  readonly isPooled: boolean;
  /** By process number; who is missing is gone. */
  readonly states: ReadonlyMap<number, string>;
} | null;

export type AskServer = (pids: readonly number[]) => Promise<Told>;

export interface LineWatch {
  /** The driver adds and removes them. */
  readonly lines: Set<Line>;
  stop(): void;
}

const SILENT_MS = 10_000;

/**
 * A network that drops everything tells nobody: a statement under way then waits for the system's
 * limits, some 15 minutes. So whoever is owed an answer for ten seconds has the server asked by a new
 * connection. A line is cut where no answer comes, or where the server waits for it in turn.
 */
export function watchLines(ask: AskServer, silentMs = SILENT_MS): LineWatch {
  const lines = new Set<Line>();
  let isLooking = false;
  const look = async () => {
    const waiting = [...lines].flatMap((line) => {
      const from = line.waitsFrom();
      return from === null || performance.now() - from < silentMs ? [] : [{ line, from }];
    });
    if (waiting.length === 0) return;
    const told = await ask(waiting.flatMap(({ line }) => line.pid() ?? []));
    for (const { line, from } of waiting)
      if (line.waitsFrom() === from && isDead(line.pid(), told)) line.cut();
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, silentMs / 2);
  timer.unref();
  return { lines, stop: () => clearInterval(timer) };
}

/** Both wait for each other, or nobody is there. */
function isDead(pid: number | null, told: Told): boolean {
  if (told === null) return true;
  if (told.isPooled || pid === null) return false;
  const state = told.states.get(pid);
  return state === undefined || state.startsWith('idle');
}

/** What `work` says in time; null where it says nothing, or can't be reached. */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
): Promise<Value | null> {
  const late = new AbortController();
  const timer = sleep(milliseconds, null, { signal: late.signal }).catch(() => null);
  return await Promise.race([work, timer]).finally(() => late.abort());
}
