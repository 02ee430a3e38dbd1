import type { HistoryTurn } from '../api/types.ts';
import { outcomeWords } from './call-text.ts';
import { compact, dollars } from './format.ts';
import type { Tone } from './tone.ts';

/** One line inside of a turn, wherever it was told. */
export interface HistoryRow {
  readonly key: string;
  readonly at: string;
  readonly source: 'temporal' | 'step' | 'call';
  /** Its number where it was told: of an event, of a row of the ledger. */
  readonly number: string;
  readonly name: string;
  readonly about: string;
  readonly tone: Tone;
  /** Row of the ledger that it leads to. */
  readonly seq: number | null;
}

type Step = HistoryTurn['steps'][number];
type Call = HistoryTurn['calls'][number];
type Event = HistoryTurn['events'][number];

/** Temporal's events and the journal's steps and calls as one story, in the order of time. */
export function historyRows({ events, steps, calls }: HistoryTurn): HistoryRow[] {
  const rows = [
    ...events.map(rowOfEvent),
    ...steps.flatMap((step) => [rowOfStep(step), ...step.calls.map(rowOfCall)]),
    ...calls.map(rowOfCall),
  ];
  return rows.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

const rowOfEvent = ({ run, eventId, type, at, about }: Event): HistoryRow => ({
  key: `${run}.${eventId}`,
  at,
  source: 'temporal',
  number: String(eventId),
  name: type,
  about,
  tone: toneOfType(type),
  seq: null,
});

function toneOfType(type: string): HistoryRow['tone'] {
  if (/TimedOut|Failed|Terminated/.test(type)) return 'bad';
  if (type.startsWith('Timer')) return 'accent';
  return /Update|ContinuedAsNew|Marker/.test(type) ? 'ok' : '';
}

const KINDS = { turn: 'Model call', review: 'Review', compaction: 'Compaction' } as const;

function rowOfStep(step: Step): HistoryRow {
  const { kind, attempt, state, model, tokens, costUsd, trouble } = step;
  const name = kind === 'turn' ? `${KINDS.turn} ${step.step}` : KINDS[kind];
  const facts = [
    ...(state === 'committed' ? [] : [state === 'sent' ? 'runs' : state]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    model,
    ...(tokens > 0 ? [`${compact(tokens)} tokens`, dollars(costUsd)] : []),
    ...(trouble === null ? [] : [trouble]),
  ];
  return {
    key: `step ${kind} ${step.step} ${attempt}`,
    at: step.startedAt,
    source: 'step',
    number: '',
    name,
    about: facts.join(', '),
    tone: state === 'failed' || state === 'lost' ? 'bad' : '',
    seq: null,
  };
}

const rowOfCall = ({ seq, tool, outcome, at }: Call): HistoryRow => ({
  key: `call ${seq}`,
  at,
  source: 'call',
  number: `#${seq}`,
  name: tool,
  about: outcome === null ? 'runs' : outcomeWords[outcome],
  tone: outcome === 'succeeded' || outcome === null ? '' : 'bad',
  seq,
});

/** The last row that had happened by then; -1 = none had. */
export function lastRowBy(rows: readonly Pick<HistoryRow, 'at'>[], at: string): number {
  return rows.findLastIndex((row) => row.at <= at);
}
