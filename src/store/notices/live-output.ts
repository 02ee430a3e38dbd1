import type { LiveOutput, NewOutput, OutputPiece } from '../../contract/live.ts';
import type { Database } from '../client.ts';

export const OUTPUT_CHANNEL = 'goalkeeper_output';

/** Notifying commits take a database-wide lock, so their rate is bounded regardless of output. */
const INTERVAL_MS = 300;
/** Postgres takes 8,000 bytes a payload. */
const PAYLOAD_BYTES = 7000;
/** Most characters of a call's output in one notification, and kept for late watchers: its end. */
const PIECE_CHARACTERS = 2000;
/** Calls whose end is kept; nobody tells when one is over. */
const MOST_CALLS = 50;

/** The end of what one run of a call printed. */
export interface Heard {
  readonly call: Omit<NewOutput, 'text'>;
  readonly began: number;
  readonly text: string;
  /** Characters so far, and those of them that were told. */
  readonly end: number;
  readonly told: number;
}

export function createLiveOutput(db: Database): LiveOutput {
  const heard = new Map<string, Heard>();
  let timer: NodeJS.Timeout | null = null;
  let sending = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      sending = sending.then(send);
    }, INTERVAL_MS).unref();
  }

  async function send(): Promise<void> {
    const pieces = takePieces(heard);
    if ([...heard.values()].some(isDue)) schedule();
    if (pieces.length === 0) return;
    await db`SELECT pg_notify(${OUTPUT_CHANNEL}, ${JSON.stringify(pieces)})`.catch(() => undefined);
  }

  return {
    tell({ text, ...call }) {
      const key = `${call.goalId} ${call.callId}`;
      const known = heard.get(key) ?? { call, began: Date.now(), text: '', end: 0, told: 0 };
      const kept = (known.text + text).slice(-PIECE_CHARACTERS);
      heard.delete(key);
      heard.set(key, { ...known, text: kept, end: known.end + text.length });
      const [oldest = key] = heard.keys();
      if (heard.size > MOST_CALLS) heard.delete(oldest);
      schedule();
    },
    watched(goals) {
      const fresh = new Set(goals.flatMap(({ goalId, isNew }) => (isNew ? [goalId] : [])));
      for (const [key, one] of heard) {
        if (!fresh.has(one.call.goalId)) continue;
        heard.set(key, { ...one, told: 0 });
        schedule();
      }
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      await sending;
    },
  };
}

const isDue = ({ told, end }: Heard): boolean => told < end;

/** Takes the newest lines of each call with new output, as many as fit; the others come next. */
export function takePieces(heard: Map<string, Heard>): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  const fits = (piece: OutputPiece) =>
    Buffer.byteLength(JSON.stringify([...pieces, piece])) <= PAYLOAD_BYTES;
  for (const [key, one] of [...heard]) {
    if (!isDue(one)) continue;
    let piece = newest(one, PIECE_CHARACTERS);
    // One alone always fits: it is cut until it does.
    for (let most = PIECE_CHARACTERS / 2; !fits(piece) && pieces.length === 0; most /= 2)
      piece = newest(one, most);
    if (!fits(piece)) break;
    pieces.push(piece);
    heard.set(key, { ...one, told: one.end });
  }
  return pieces;
}

/** What was not told, at most so many characters; cut where a line begins, if one does. */
function newest({ call, began, text, end, told }: Heard, most: number): OutputPiece {
  const size = Math.floor(Math.min(end - told, text.length, most));
  const piece = text.slice(text.length - size);
  const line = size < end - told ? piece.indexOf('\n') + 1 : 0;
  const cut = line === piece.length ? 0 : line;
  return { ...call, began, start: end - size + cut, text: piece.slice(cut) };
}

export function parsePieces(payload: string): OutputPiece[] {
  try {
    return JSON.parse(payload) as OutputPiece[];
  } catch {
    return [];
  }
}
