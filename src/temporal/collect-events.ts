import type { HistoryEvent } from '../../schema/history.ts';
import type { HistoriesPort, SeenEvent } from '../contract/histories.ts';
import type { StoredRun } from '../contract/reads.ts';
import { HistoryAway, HistoryExpired } from './histories.ts';

/** The limit of one answer, far above a page of turns, so only endless waits are cut. */
const MOST_EVENTS = 6000;

interface Range {
  /** The oldest turn that is asked for. */
  readonly lowest: number;
  readonly before: number;
  readonly hasTasks: boolean;
}

interface Collected {
  readonly byTurn: ReadonlyMap<number, HistoryEvent[]>;
  /** Events of this turn and of lower ones may be missing; -1 = none are. */
  readonly cutAt: number;
  /** For each run that was read, whether the server still keeps it. */
  readonly kept: ReadonlyMap<number, boolean>;
  readonly state: 'kept' | 'partly' | 'expired' | 'away';
}

/** The events of some turns, from the end backwards, through as many runs as those turns took. */
export async function collectEvents(
  histories: HistoriesPort,
  goalId: string,
  runs: readonly StoredRun[],
  range: Range,
): Promise<Collected> {
  const byTurn = new Map<number, HistoryEvent[]>();
  const kept = new Map<number, boolean>();
  let room = MOST_EVENTS;
  let cutAt = -1;
  try {
    for (const run of runs.filter((one) => mayTell(one, range)).toReversed()) {
      const told = await readRun(histories, { goalId, ...run }, range.lowest, room);
      kept.set(run.number, told !== null);
      if (told === null) continue;
      room -= told.events.length;
      const first = told.isWhole ? run.firstTurn - 1 : null;
      prepend(byTurn, eventsByTurn(told.events, run.number, first, range));
      if (told.isCut) {
        cutAt = told.events.find(({ turn }) => turn !== null)?.turn ?? range.before;
        break;
      }
      if (run.firstTurn < range.lowest) break;
    }
  } catch (error) {
    if (!(error instanceof HistoryAway)) throw error;
    return { byTurn, cutAt, kept, state: 'away' };
  }
  return { byTurn, cutAt, kept, state: stateOf([...kept.values()]) };
}

/** A run's first events belong to the turn before it. */
const mayTell = ({ firstTurn }: StoredRun, { before }: Range): boolean => firstTurn - 1 < before;

function stateOf(kept: readonly boolean[]): Collected['state'] {
  if (kept.every((isKept) => isKept)) return 'kept';
  return kept.some((isKept) => isKept) ? 'partly' : 'expired';
}

interface Told {
  /** Oldest first. */
  readonly events: readonly SeenEvent[];
  /** True if the events reach back to the run's first one. */
  readonly isWhole: boolean;
  readonly isCut: boolean;
}

/** Reads back to the first event outside the range; null if the server keeps nothing. */
async function readRun(
  histories: HistoriesPort,
  run: StoredRun & { readonly goalId: string },
  lowest: number,
  room: number,
): Promise<Told | null> {
  const newestFirst: SeenEvent[] = [];
  const told = (isWhole: boolean, isCut: boolean): Told => ({
    events: newestFirst.toReversed(),
    isWhole,
    isCut,
  });
  try {
    for await (const page of histories.backwards(run)) {
      newestFirst.push(...page);
      if (page.some(({ turn }) => turn !== null && turn < lowest)) return told(false, false);
      if (newestFirst.length >= room) return told(false, true);
    }
    return told(true, false);
  } catch (error) {
    if (error instanceof HistoryExpired) return null;
    throw error;
  }
}

/** An event that names no turn belongs to the last turn named before it. */
function eventsByTurn(
  events: readonly SeenEvent[],
  run: number,
  first: number | null,
  { lowest, before, hasTasks }: Range,
): Map<number, HistoryEvent[]> {
  const byTurn = new Map<number, HistoryEvent[]>();
  const activities = new Map(events.map(({ eventId, activity }) => [eventId, activity]));
  let current = first;
  for (const event of events) {
    current = event.turn ?? current;
    if (current === null || current < lowest || current >= before) continue;
    if (!hasTasks && event.type.startsWith('WorkflowTask') && event.type !== 'WorkflowTaskFailed')
      continue;
    const { eventId, type, at } = event;
    const name = event.activity ?? activities.get(event.scheduledBy ?? -1) ?? '';
    const about = [name, event.about].filter((part) => part !== '').join(', ');
    const shown = byTurn.get(current) ?? [];
    shown.push({ run, eventId, type, at, about });
    byTurn.set(current, shown);
  }
  return byTurn;
}

/** Runs come newest first, so an older run's events of a turn go to the front. */
function prepend(known: Map<number, HistoryEvent[]>, older: Map<number, HistoryEvent[]>): void {
  for (const [turn, events] of older) known.set(turn, [...events, ...(known.get(turn) ?? [])]);
}
