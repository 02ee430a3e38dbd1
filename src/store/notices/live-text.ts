import type {
  LiveText,
  SayingCall,
  TextPiece,
  WatchedGoal,
  WatchNotifier,
} from '../../contract/live.ts';
import type { Database } from '../client.ts';

export const TEXT_CHANNEL = 'goalkeeper_text';
export const WATCH_CHANNEL = 'goalkeeper_watch';

/** Notifying commits take a database-wide lock, so their rate is bounded regardless of volume. */
const INTERVAL_MS = 150;
/** Postgres takes 8,000 bytes a payload. */
const PAYLOAD_BYTES = 7000;
/** Most characters of one answer in one notification. */
const PIECE_CHARACTERS = 2000;
/** Most characters of an answer kept for late watchers: its end. */
const KEPT_CHARACTERS = 24_000;
/** A watch expires after this time unless it is renewed. */
const WATCHED_MS = 15_000;

interface Running {
  readonly call: SayingCall;
  text: string;
  /** Characters dropped before `text`. */
  dropped: number;
  /** Position up to which the text was published. */
  told: number;
  isBeatDue: boolean;
  isOver: boolean;
}

/**
 * Publishes model answers to watchers, at nearly no cost without any. Only one notification is in
 * flight: text that arrives meanwhile waits, and overflow is lost.
 */
export function createLiveText(db: Database): LiveText {
  const running = new Map<string, Running>();
  const watchedUntil = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> = Promise.resolve();
  let isSending = false;

  const isWatched = (goalId: string): boolean => (watchedUntil.get(goalId) ?? 0) > Date.now();

  function schedule(): void {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      if (!isSending) sending = tell();
      else schedule();
    }, INTERVAL_MS);
    timer.unref();
  }

  async function tell(): Promise<void> {
    const pieces = takePieces(running, isWatched);
    if (pieces.length === 0) return;
    isSending = true;
    await db`SELECT pg_notify(${TEXT_CHANNEL}, ${JSON.stringify(pieces)})`.catch(() => undefined);
    isSending = false;
    if ([...running.values()].some((one) => isWatched(one.call.goalId) && isDue(one))) schedule();
  }

  return {
    begin(call) {
      const own: Running = {
        call,
        text: '',
        dropped: 0,
        told: 0,
        isBeatDue: true,
        isOver: false,
      };
      setAside(running, running.get(call.goalId), isWatched(call.goalId));
      running.set(call.goalId, own);
      if (isWatched(call.goalId)) schedule();
      return {
        say(text) {
          keep(own, text);
          if (isWatched(call.goalId)) schedule();
        },
        end() {
          own.isOver = true;
          if (isWatched(call.goalId)) schedule();
          else if (running.get(call.goalId) === own) running.delete(call.goalId);
        },
      };
    },

    watched(goals) {
      const until = Date.now() + WATCHED_MS;
      for (const { goalId, isNew } of goals) {
        watchedUntil.set(goalId, until);
        const own = running.get(goalId);
        if (own === undefined) continue;
        own.isBeatDue = true;
        if (isNew) own.told = 0;
        schedule();
      }
      for (const [goalId, end] of watchedUntil) if (end < Date.now()) watchedUntil.delete(goalId);
    },

    async close() {
      if (timer !== null) clearTimeout(timer);
      running.clear();
      await sending;
    },
  };
}

/** The next answer may begin before the previous one's end was published. */
function setAside(
  running: Map<string, Running>,
  before: Running | undefined,
  isWatched: boolean,
): void {
  if (before === undefined) return;
  const { goalId, turn, step, attempt } = before.call;
  running.delete(goalId);
  before.isOver = true;
  if (isWatched && isDue(before)) running.set(`${goalId} ${turn}.${step}.${attempt}`, before);
}

function keep(own: Running, text: string): void {
  own.text += text;
  // Cutting is rare, so that a long answer isn't copied for every word.
  if (own.text.length < KEPT_CHARACTERS * 2) return;
  const over = own.text.length - KEPT_CHARACTERS;
  own.text = own.text.slice(over);
  own.dropped += over;
}

const endOf = ({ text, dropped }: Running): number => dropped + text.length;

const isDue = (own: Running): boolean => own.isBeatDue || own.isOver || own.told < endOf(own);

/**
 * Takes one piece of each answer with new text, as many as fit; the others come first next time.
 */
function takePieces(
  running: Map<string, Running>,
  isWatched: (goalId: string) => boolean,
): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const [key, own] of [...running]) {
    if (!isWatched(own.call.goalId)) {
      if (own.isOver) running.delete(key);
      continue;
    }
    if (!isDue(own)) continue;
    const piece = fitting(own, pieces);
    if (piece === null) break;
    pieces.push(piece);
    own.told = piece.start + piece.text.length;
    own.isBeatDue = false;
    running.delete(key);
    if (piece.isEnd !== true) running.set(key, own);
  }
  return pieces;
}

function fitting(own: Running, taken: readonly TextPiece[]): TextPiece | null {
  const start = Math.max(own.told, own.dropped);
  for (let most = PIECE_CHARACTERS; most >= 50; most = Math.floor(most / 2)) {
    const text = own.text.slice(start - own.dropped, start - own.dropped + most);
    const isEnd = own.isOver && start + text.length === endOf(own);
    const piece: TextPiece = { ...own.call, start, text, ...(isEnd ? { isEnd } : {}) };
    if (Buffer.byteLength(JSON.stringify([...taken, piece])) <= PAYLOAD_BYTES) return piece;
  }
  return null;
}

export function parseTexts(payload: string): TextPiece[] {
  try {
    return JSON.parse(payload) as TextPiece[];
  } catch {
    return [];
  }
}

export const parseWatched = (payload: string): WatchedGoal[] =>
  payload
    .split(',')
    .filter((entry) => entry !== '')
    .map((entry) => ({ goalId: entry.replace(/^\+/, ''), isNew: entry.startsWith('+') }));

/** Interval at which workers are told that a goal is still watched. */
const STILL_MS = 5000;

/** Publishes to the workers which goals this process watches. */
export function createWatchNotifier(db: Database): WatchNotifier {
  const watchers = new Map<string, number>();
  const notify = (entries: readonly string[]): void => {
    for (const payload of payloadsOf(entries)) {
      db`SELECT pg_notify(${WATCH_CHANNEL}, ${payload})`.catch(() => undefined);
    }
  };
  const still = setInterval(() => notify([...watchers.keys()]), STILL_MS);
  still.unref();
  return {
    watch(goalId) {
      watchers.set(goalId, (watchers.get(goalId) ?? 0) + 1);
      notify([`+${goalId}`]);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        const left = (watchers.get(goalId) ?? 1) - 1;
        if (left > 0) watchers.set(goalId, left);
        else watchers.delete(goalId);
      };
    },
    close: () => clearInterval(still),
  };
}

/** Number of short ids that fit into a payload with room to spare. */
const IDS_A_PAYLOAD = 80;

function payloadsOf(entries: readonly string[]): string[] {
  const payloads: string[] = [];
  for (let from = 0; from < entries.length; from += IDS_A_PAYLOAD) {
    payloads.push(entries.slice(from, from + IDS_A_PAYLOAD).join(','));
  }
  return payloads;
}
