import type { ChainVerdict, LogEntry, LogFilter } from '../api/types.ts';
import { dateAndTime, plural } from './format.ts';
import type { Tone } from './tone.ts';

export type LogEvent = LogEntry['what'];

/** What happened, in words; the names are the service's own. */
export const eventWords: Readonly<Record<LogEvent, string>> = {
  sign_in: 'Signed in',
  sign_out: 'Signed out',
  sign_in_refused: 'Sign-in refused',
  code_made: 'Sign-in code made',
  token_made: 'Token made',
  token_revoked: 'Token revoked',
  trigger_made: 'Trigger made',
  trigger_paused: 'Trigger paused',
  trigger_resumed: 'Trigger resumed',
  trigger_deleted: 'Trigger deleted',
  delivery_refused: 'Delivery refused',
  tool_accepted: 'Tool accepted',
  tool_pins_reset: 'Tool trust reset',
  rule_made: 'Rule made',
  rule_revoked: 'Rule revoked',
  link_used: 'Decided by link',
  proof_shared: 'Proof shared',
  proof_unshared: 'Link to a proof taken back',
  proof_opened: 'Proof opened by link',
  link_refused: 'Link refused',
  schedule_made: 'Schedule made',
  schedule_changed: 'Schedule changed',
  schedule_paused: 'Schedule paused',
  schedule_resumed: 'Schedule resumed',
  schedule_run: 'Schedule run by hand',
  schedule_deleted: 'Schedule deleted',
  schedule_refused: 'Schedule refused',
  action_refused: 'Action refused',
  temporal_refused: 'Temporal refused',
  record_refused: 'Record refused',
  goal_removed: 'Goal removed',
  log_sealed: 'Log sealed',
};

export const logEvents = Object.keys(eventWords) as LogEvent[];

/** Somebody unknown at the door counts less than Temporal telling what nobody ordered. */
export function eventTone({ what, result }: Pick<LogEntry, 'what' | 'result'>): Tone {
  if (what === 'temporal_refused' || what === 'record_refused') return 'bad';
  return result === 'refused' ? 'warn' : '';
}

/** The goal that an entry is about, also as a part of the path that was refused. */
export const goalOf = ({ subject }: Pick<LogEntry, 'subject'>): string | null =>
  /^(?:\S+ \/v1\/goals\/)?(g-[0-9a-f]{16})(?![^/?])/.exec(subject ?? '')?.[1] ?? null;

const OF_SERVICE: ReadonlySet<LogEvent> = new Set(['goal_removed', 'log_sealed']);

/** Whose doing it is where no principal is known. */
export const unnamedBy = ({ what }: Pick<LogEntry, 'what'>): string =>
  OF_SERVICE.has(what) ? 'the service' : 'nobody known';

export function fromText({ what, address }: Pick<LogEntry, 'what' | 'address'>): string {
  if (address !== null) return address;
  if (what === 'record_refused') return 'the database';
  return OF_SERVICE.has(what) ? 'the service' : 'Temporal';
}

/** What else an entry holds, one value behind its name. */
export const dataWords = ({ data }: Pick<LogEntry, 'data'>): string =>
  Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${nameText(name)}: ${valueText(value)}`)
    .join(', ');

/** `expiresAt` is `expires at`. */
const nameText = (name: string): string =>
  name.replace(/[a-z][A-Z]/g, ([before = '', next = '']) => `${before} ${next.toLowerCase()}`);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(' ');
  if (typeof value === 'string') return TIME.test(value) ? dateAndTime(value) : value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${nameText(name)} ${valueText(one)}`)
    .join(', ');
}

/** The filter that an address names; what it names wrongly narrows nothing. */
export function filterOf(search: URLSearchParams): LogFilter {
  const what = logEvents.find((one) => one === search.get('what'));
  const result = (['done', 'refused'] as const).find((one) => one === search.get('result'));
  const who = search.get('who') ?? '';
  return {
    ...(what === undefined ? {} : { what }),
    ...(result === undefined ? {} : { result }),
    ...(who === '' ? {} : { who }),
  };
}

/** As `goalkeeper security-log --json` writes it. */
export const exportedLog = (entries: readonly LogEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

export function logVerdictText(verdict: ChainVerdict): string {
  const { holds, rows, sealedFrom, adopted = 0 } = verdict;
  if (!holds) return 'Broken: an entry is not what was written';
  const before = adopted === 0 ? '' : `, ${adopted} from before the chain`;
  return `Chain holds, ${plural(rows, 'entry', 'entries')}${before}${
    sealedFrom === null ? ', no key seals them' : ''
  }`;
}
