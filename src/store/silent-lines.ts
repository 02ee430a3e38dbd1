import { setTimeout as sleep } from 'node:timers/promises';

/** What the server does for a connection. */
export interface Session {
  /** Of its process. */
  readonly pid: number;
  /** When it said so, by `performance.now()`: the session is older, and whoever has its number later is younger. */
  readonly greetedAt: number;
}

/** A connection of the driver, as it sees itself. */
export interface Line {
  /** When the server was last heard or began to owe an answer, by `performance.now()`; null = it owes none. */
  waitsFrom(): number | null;
  /** Null before it is greeted. */
  session(): Session | null;
  /** What waits fails as where the server had closed the connection. */
  cut(): void;
}

/** What a session at the server waits for. */
export type Doing = 'waits for its client' | 'works' | 'unknown';

/** What a server that was asked by another connection says of sessions; null = it can't be reached. */
export type Told = {
  /** Something between hands on statements, and sessions at the server are not those of lines. */
  readonly isPooled: boolean;
  /** By process number; who is missing is gone. */
  readonly doing: ReadonlyMap<number, Doing>;
} | null;

export interface AskedServer {
  ask(pids: readonly number[]): Promise<Told>;
  /** Ends sessions, and what they have locked. @returns false where the server can't be reached */
  end(sessions: readonly Session[]): Promise<boolean>;
}

export interface LineWatch {
  /** The driver adds and removes them. */
  readonly lines: Set<Line>;
  stop(): void;
}

const SILENT_MS = 10_000;
/** Behind a pooler nobody can say what a line's session does. */
const SILENT_BEHIND_A_POOLER = 90;

/**
 * A network that drops everything tells nobody: a statement under way then waits for the system's
 * limits, some 15 minutes. So whoever is owed an answer for ten seconds has the server asked by a new
 * connection. A line is cut where no answer comes, or where the server waits for it in turn.
 *
 * Its session is ended at the server as well, as soon as that is reached: a proxy in between may keep
 * it for good, with all that it has locked.
 */
export function watchLines(server: AskedServer, silentMs = SILENT_MS): LineWatch {
  const lines = new Set<Line>();
  let left: readonly Session[] = [];
  let isLooking = false;
  const look = async () => {
    const waiting = [...lines].flatMap((line) => {
      const from = line.waitsFrom();
      return from === null || performance.now() - from < silentMs ? [] : [{ line, from }];
    });
    if (waiting.length === 0) return;
    const told = await server.ask(waiting.flatMap(({ line }) => line.session()?.pid ?? []));
    const longest = silentMs * SILENT_BEHIND_A_POOLER;
    for (const { line, from } of waiting) {
      if (line.waitsFrom() !== from) continue;
      const session = line.session();
      const isOver = told?.isPooled === true && performance.now() - from >= longest;
      if (!isOver && !isDead(session, told)) continue;
      line.cut();
      // Behind a pooler its number is somebody else's.
      if (session !== null && told?.isPooled !== true) left = [...left, session];
    }
  };
  const end = async () => {
    const sessions = left;
    if (sessions.length > 0 && (await server.end(sessions)))
      left = left.filter((session) => !sessions.includes(session));
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .then(end)
      .finally(() => {
        isLooking = false;
      });
  }, silentMs / 2);
  timer.unref();
  return { lines, stop: () => clearInterval(timer) };
}

/** Both wait for each other, or nobody is there. */
function isDead(session: Session | null, told: Told): boolean {
  if (told === null) return true;
  if (told.isPooled || session === null) return false;
  const doing = told.doing.get(session.pid);
  return doing === undefined || doing === 'waits for its client';
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
