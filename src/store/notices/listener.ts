import type postgres from 'postgres';
import type { OutputPiece, TextPiece, WatchedGoal } from '../../contract/live.ts';
import { startRounds } from '../../process/rounds.ts';
import { openDriver, primaryOf } from '../driver.ts';
import { OUTPUT_CHANNEL, parsePieces } from './live-output.ts';
import { parseTexts, parseWatched, TEXT_CHANNEL, WATCH_CHANNEL } from './live-text.ts';
import { CANCEL_CHANNEL, EVENTS_CHANNEL } from './notifier.ts';

export const TOKENS_CHANNEL = 'goalkeeper_tokens';
export const STOPS_CHANNEL = 'goalkeeper_stops';

export interface ListenerHooks {
  readonly onEvents?: (goalIds: readonly string[]) => void;
  readonly onOutput?: (piece: OutputPiece) => void;
  readonly onText?: (piece: TextPiece) => void;
  readonly onWatched?: (goals: readonly WatchedGoal[]) => void;
  /** Called with the name of a token that has just been revoked. */
  readonly onRevoked?: (name: string) => void;
  readonly onCancel?: (goalId: string) => void;
  /** Somebody ordered the end of a call. */
  readonly onStop?: (goalId: string, callId: string) => void;
  /** Called after a reconnect: notifications may be lost, so state is read again. */
  readonly onMayHaveMissed?: () => void;
}

export interface Listener {
  close(): Promise<void>;
}

const RETRY_SECONDS = 0.5;
const PULSE_MS = 10_000;

/**
 * Listens on a connection of its own and reconnects for as long as it takes. Resolves once it
 * listens for the first time.
 */
export async function listen(
  url: string,
  hooks: ListenerHooks,
  pulseMs = PULSE_MS,
): Promise<Listener> {
  const options = {
    connect_timeout: 10,
    fetch_types: false,
    backoff: () => RETRY_SECONDS,
    onnotice: () => {},
    connection: { application_name: 'goalkeeper listener' },
  };
  const sql = openDriver(url, options, primaryOf(url), pulseMs);
  const channels = channelsOf(hooks);
  let isFirst = true;
  // The driver listens again in the same order, so nothing is missed after the last channel.
  const onListening = () => {
    if (!isFirst) hooks.onMayHaveMissed?.();
    isFirst = false;
  };
  try {
    for (const [index, [channel, handle]] of channels.entries()) {
      await sql.listen(channel, handle, index === channels.length - 1 ? onListening : undefined);
    }
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  // Whoever only listens is owed nothing, so that a dead line would look like a quiet one.
  const pulse = startRounds(async () => {
    await ownConnection(sql)`SELECT 1`.catch(() => {});
    return false;
  }, pulseMs);
  return {
    async close() {
      const stopped = pulse.stop();
      await sql.end({ timeout: 0 });
      await stopped;
    },
  };
}

/** The one that listens, which the driver opens apart. */
const ownConnection = ({ listen: own }: postgres.Sql): postgres.Sql =>
  (own as unknown as { readonly sql: postgres.Sql }).sql;

type Channel = readonly [name: string, handle: (payload: string) => void];

function channelsOf(hooks: ListenerHooks): Channel[] {
  const { onEvents, onOutput, onText, onWatched, onCancel, onRevoked, onStop } = hooks;
  const channels: Channel[] = [
    [EVENTS_CHANNEL, (payload) => onEvents?.(payload.split(','))],
    [CANCEL_CHANNEL, (payload) => onCancel?.(payload)],
  ];
  if (onOutput !== undefined)
    channels.push([OUTPUT_CHANNEL, (payload) => parsePieces(payload).forEach(onOutput)]);
  if (onText !== undefined)
    channels.push([TEXT_CHANNEL, (payload) => parseTexts(payload).forEach(onText)]);
  if (onWatched !== undefined)
    channels.push([WATCH_CHANNEL, (payload) => onWatched(parseWatched(payload))]);
  if (onStop !== undefined) {
    const told = (payload: string) => {
      const [goalId = '', callId = ''] = payload.split(' ');
      onStop(goalId, callId);
    };
    channels.push([STOPS_CHANNEL, told]);
  }
  if (onRevoked !== undefined) channels.push([TOKENS_CHANNEL, onRevoked]);
  return channels;
}
