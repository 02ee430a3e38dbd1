import { callSubject } from '../../../schema/call-subject.ts';
import { ownValue } from '../../../schema/own-value.ts';
import type { Call, Goal, Turn } from '../api/types.ts';
import type { Said } from '../live/live-text.ts';
import { nextAct } from './actor.ts';
import { clock, duration } from './format.ts';

/** What a goal does this second, in one line. */
export interface LiveHead {
  readonly kind: 'works' | 'waits' | 'holds' | 'over';
  /** `running`, `thinking`; what it does it to is apart, because it is set as code. */
  readonly words: string;
  readonly subject: string;
  /** Since when, in milliseconds; null = it doesn't matter. */
  readonly since: number | null;
  /** That nothing is heard of it. */
  readonly note: string;
}

export interface Seen {
  readonly turn: Turn | null;
  /** Of the newest turn. */
  readonly calls: readonly Call[];
  readonly said: Said | null;
  /** When the running command was last heard to print; null = never. */
  readonly printedAt: number | null;
}

/** Workers tell every five seconds that an answer still runs: two of these may get lost. */
const SILENT_MS = 13_000;
/** A command that prints nothing for so long may hang. */
const QUIET_MS = 10_000;

export function liveHead(goal: Goal, seen: Seen, mayAct: boolean, now: number): LiveHead {
  const act = nextAct(goal, mayAct);
  const line = { subject: '', since: null, note: '' };
  if (act.kind === 'none') return { ...line, kind: 'over', words: act.reason };
  if (goal.activity.state !== 'running') {
    const since = Date.parse(goal.pause?.since ?? goal.activity.since);
    if (act.kind === 'you')
      return { ...line, kind: 'holds', words: 'holds for your answer', since };
    return { ...line, kind: 'waits', words: `waits for ${waitedFor(goal, act)}`, since };
  }
  const running = runningCall(seen.calls);
  if (running !== null) return ofCall(running, seen.printedAt, now);
  return ofModel(goal, seen, now);
}

/** The call that runs; of several the oldest, which the others wait for or run beside. */
export const runningCall = (calls: readonly Call[]): Call | null =>
  calls
    .filter(({ startedAt, settledSeq }) => startedAt !== null && settledSeq === null)
    .reduce<Call | null>(
      (first, call) =>
        (first?.startedSeq ?? Number.POSITIVE_INFINITY) > (call.startedSeq ?? 0) ? call : first,
      null,
    );

const who: Readonly<Record<string, string>> = {
  Provider: 'the provider',
  Worker: 'a worker',
  Team: 'a person',
  Agent: 'its turn',
  Clock: 'its time',
};

function waitedFor(goal: Goal, act: { readonly actor: string; readonly reason: string }): string {
  const { until, on } = goal.activity;
  const whom = who[act.actor] ?? act.actor;
  // Why a provider or a limit is waited for stands above, with the goal's chip.
  if ((on === 'provider' || on === 'spend') && until !== undefined)
    return `${whom}, next try at ${clock(until, 'seconds')}`;
  return act.reason === '' ? whom : `${whom}: ${act.reason}`;
}

/** What a call does, as it does it. */
const doing: Readonly<Record<string, string>> = {
  run_command: 'running',
  read_file: 'reading',
  list_files: 'listing',
  grep_search: 'searching for',
  write_file: 'writing',
  edit_file: 'editing',
  delegate: 'handing over',
  get_diagnostics: 'asking for diagnostics',
  todo_write: 'changing its list',
  complete_step: 'claiming step',
  attempt_completion: 'claiming to be done',
};

function ofCall(call: Call, printedAt: number | null, now: number): LiveHead {
  const isCheck = call.tool.startsWith('check.');
  const words = isCheck ? 'checking' : (ownValue(doing, call.tool) ?? `running ${call.tool}`);
  const since = Date.parse(call.startedAt ?? '');
  const silence = now - Math.max(since, printedAt ?? 0);
  const prints = call.tool === 'run_command' || isCheck;
  return {
    kind: 'works',
    words,
    subject: callSubject(call),
    since,
    note: prints && silence >= QUIET_MS ? `no output for ${duration(silence / 1000)}` : '',
  };
}

function ofModel(goal: Goal, { turn, calls, said }: Seen, now: number): LiveHead {
  const moments = [
    turn?.startedAt ?? goal.activity.since,
    ...calls.flatMap(({ settledAt }) => settledAt ?? []),
  ];
  const since = Math.max(...moments.map((at) => Date.parse(at)));
  const line = { kind: 'works', subject: '', since } as const;
  const isOfTurn = said !== null && said.turn === turn?.turn && said.heardAt >= since;
  if (!isOfTurn || said.isEnd) return { ...line, words: 'thinking', note: '' };
  const silence = now - said.heardAt;
  const note = silence > SILENT_MS ? `nothing heard for ${duration(silence / 1000)}` : '';
  return { ...line, words: said.text === '' ? 'thinking' : 'answering', note };
}
