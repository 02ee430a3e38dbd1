import pg from 'pg';
import type { OutputPiece, TextPiece, WatchedGoal } from '../../contract/live.ts';
import { OUTPUT_CHANNEL, parsePieces } from './live-output.ts';
import { parseTexts, parseWatched, TEXT_CHANNEL, WATCH_CHANNEL } from './live-text.ts';
import { CANCEL_CHANNEL, EVENTS_CHANNEL } from './notifier.ts';

export interface ListenerHooks {
  readonly onEvents?: (goalIds: readonly string[]) => void;
  readonly onOutput?: (piece: OutputPiece) => void;
  readonly onText?: (piece: TextPiece) => void;
  readonly onWatched?: (goals: readonly WatchedGoal[]) => void;
  readonly onCancel?: (goalId: string) => void;
  /** After a reconnect: notifications may have been lost, so read again. */
  readonly onMayHaveMissed?: () => void;
}

export interface Listener {
  close(): Promise<void>;
}

const RETRY_MS = 500;

/**
 * Listens on a connection of its own and reconnects for as long as it takes. Resolves once it
 * listens for the first time.
 */
export async function listen(url: string, hooks: ListenerHooks): Promise<Listener> {
  let client: pg.Client | null = null;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'goalkeeper listener',
      keepAlive: true,
    });
    client = fresh;
    fresh.on('error', () => undefined);
    fresh.on('notification', ({ channel, payload }) => dispatch(hooks, channel, payload ?? ''));
    await fresh.connect();
    fresh.once('end', reconnect);
    await fresh.query(`LISTEN ${EVENTS_CHANNEL}`);
    await fresh.query(`LISTEN ${CANCEL_CHANNEL}`);
    if (hooks.onOutput !== undefined) await fresh.query(`LISTEN ${OUTPUT_CHANNEL}`);
    if (hooks.onText !== undefined) await fresh.query(`LISTEN ${TEXT_CHANNEL}`);
    if (hooks.onWatched !== undefined) await fresh.query(`LISTEN ${WATCH_CHANNEL}`);
  }

  function reconnect(): void {
    if (isClosed) return;
    clearTimeout(retry);
    retry = setTimeout(() => {
      connect().then(() => hooks.onMayHaveMissed?.(), reconnect);
    }, RETRY_MS);
  }

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}

function dispatch(hooks: ListenerHooks, channel: string, payload: string): void {
  if (channel === EVENTS_CHANNEL) hooks.onEvents?.(payload.split(','));
  if (channel === OUTPUT_CHANNEL) for (const piece of parsePieces(payload)) hooks.onOutput?.(piece);
  if (channel === TEXT_CHANNEL) for (const piece of parseTexts(payload)) hooks.onText?.(piece);
  if (channel === WATCH_CHANNEL) hooks.onWatched?.(parseWatched(payload));
  if (channel === CANCEL_CHANNEL) hooks.onCancel?.(payload);
}
