import type { LiveOutput, OutputPiece } from '../../contract/live.ts';
import type { Database } from '../client.ts';

export const OUTPUT_CHANNEL = 'goalkeeper_output';

/** Notifying commits take a database-wide lock, so their rate is bounded regardless of output. */
const INTERVAL_MS = 300;
/** Postgres takes 8,000 bytes a payload. */
const PAYLOAD_BYTES = 7000;
/** Most characters of a call's output kept between two notifications. */
const PIECE_CHARACTERS = 2000;

export function createLiveOutput(db: Database): LiveOutput {
  const pending = new Map<string, OutputPiece>();
  let timer: NodeJS.Timeout | null = null;
  let sending = Promise.resolve();

  async function send(): Promise<void> {
    const payload = takePieces(pending);
    if (payload !== null) {
      await db`SELECT pg_notify(${OUTPUT_CHANNEL}, ${payload})`.catch(() => undefined);
    }
  }

  return {
    tell(piece) {
      const key = `${piece.goalId} ${piece.callId}`;
      const text = (pending.get(key)?.text ?? '') + piece.text;
      pending.set(key, { ...piece, text: text.slice(-PIECE_CHARACTERS) });
      timer ??= setTimeout(() => {
        timer = null;
        sending = sending.then(send);
      }, INTERVAL_MS).unref();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      await sending;
    },
  };
}

/** Takes as many pieces as fit; the rest is replaced by newer output. */
function takePieces(pending: Map<string, OutputPiece>): string | null {
  const taken: OutputPiece[] = [];
  for (const piece of pending.values()) {
    const longer = JSON.stringify([...taken, piece]);
    if (Buffer.byteLength(longer) > PAYLOAD_BYTES) break;
    taken.push(piece);
  }
  pending.clear();
  return taken.length === 0 ? null : JSON.stringify(taken);
}

export function parsePieces(payload: string): OutputPiece[] {
  try {
    return JSON.parse(payload) as OutputPiece[];
  } catch {
    return [];
  }
}
