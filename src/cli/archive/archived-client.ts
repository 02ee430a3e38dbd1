import type { LedgerRow } from '../../../schema/ledger.ts';
import type { ProblemCode } from '../../../schema/problem.ts';
import type { Call, Turn } from '../../../schema/turn.ts';
import type { Page } from '../../contract/reads.ts';
import { ApiProblem, type Client } from '../client.ts';
import type { GoalArchive } from './goal-archive.ts';

const TITLES: Partial<Record<ProblemCode, [number, string]>> = {
  not_found: [404, 'Not found'],
  no_longer_kept: [410, 'No longer kept'],
};

/** Answers from an archive what a service answers of a goal, as far as `show` asks. */
export function archivedClient(archive: GoalArchive): Client {
  const { goal } = archive;
  const calls = callsOf(archive.rows);
  const answer = (address: string): unknown => {
    const { pathname, searchParams } = new URL(address, 'http://archive');
    if (pathname === '/v1/approvals') {
      const open = archive.singles.approvals?.filter(({ state }) => state === 'open');
      return { items: open ?? [], nextCursor: null };
    }
    const [, prefix = '', rest = ''] = pathname.match(/^\/v1\/goals\/([^/]+)(?:\/(.*))?$/) ?? [];
    if (prefix === '' || !goal.goalId.startsWith(decodeURIComponent(prefix))) {
      throw problem('not_found', `The archive holds ${goal.goalId}, and no other goal.`);
    }
    return part(archive, calls, rest, searchParams);
  };
  const refuse = () => Promise.reject(problem('not_found', 'An archive changes nothing.'));
  return {
    get: async <Answer>(path: string) => answer(path) as Answer,
    text: async (path) => String(answer(path)),
    ...{ send: refuse, upload: refuse, open: refuse },
  };
}

function part(
  archive: GoalArchive,
  calls: readonly Call[],
  name: string,
  query: URLSearchParams,
): unknown {
  const { goal, singles, modelCalls, requests, outputs } = archive;
  const [first = '', second, third, ...place] = name.split('/');
  if (name === '') return goal;
  if (name === 'turns') return page(turnsBefore(archive.turns, query), query);
  if (name === 'calls') return page(matching(calls, query), query);
  if (name === 'plan') return { plan: singles.plan ?? null };
  if (name === 'question') return singles.question ?? { question: null, answered: null };
  if (name === 'attachments') return { items: singles.attachments ?? [] };
  if (name === 'delegates') return { items: singles.delegates ?? [] };
  if (name === 'diff') return wholeDiff(archive, query);
  if (first === 'turns' && third === 'model-calls') {
    if (place.length === 0) return { items: modelCalls.get(Number(second)) ?? [] };
    const [kind, step, attempt] = place;
    const found = requests.find(
      ({ turn, value: { call } }) =>
        turn === Number(second) &&
        call.kind === kind &&
        call.step === Number(step) &&
        call.attempt === Number(attempt),
    );
    if (found !== undefined) return found.value;
    throw problem(
      'no_longer_kept',
      'The archive was written without what models were asked: "goalkeeper export --requests" keeps it.',
    );
  }
  if (first === 'ledger' && third === 'output') {
    const tail = outputs.get(Number(second));
    if (tail === undefined) return '';
    const begin = Math.max(0, Number(query.get('offset') ?? 0) - tail.from);
    return tail.bytes.subarray(begin).toString('utf8');
  }
  throw problem('not_found', `The archive keeps no ${name}.`);
}

/** Newest first, as the service gives them; the cursor is the place of the next one. */
function page<Item>(items: readonly Item[], query: URLSearchParams): Page<Item> {
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? 100);
  return { items: items.slice(from, to), nextCursor: to < items.length ? String(to) : null };
}

function turnsBefore(turns: readonly Turn[], query: URLSearchParams): Turn[] {
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  return turns.filter(({ turn }) => turn < before).toReversed();
}

function matching(calls: readonly Call[], query: URLSearchParams): Call[] {
  const turn = query.get('turn');
  return calls.filter((one) => turn === null || one.turn === Number(turn)).toReversed();
}

function wholeDiff({ singles, missing }: GoalArchive, query: URLSearchParams): unknown {
  if (query.has('from') || query.has('to')) {
    const said = 'An archive keeps the changes of the whole goal, and not those of one turn.';
    throw problem('no_longer_kept', said);
  }
  if (singles.diff !== undefined) return singles.diff;
  const why = missing.find(({ of }) => of === 'diff')?.why ?? 'it was not kept';
  throw problem('no_longer_kept', `The archive has no changes: ${why}`);
}

/** Both rows of a call as one, by where it began. */
export function callsOf(rows: readonly LedgerRow[]): Call[] {
  const ends = new Map(
    rows.flatMap((row) => (row.phase === 'settled' ? [[row.callId, row] as const] : [])),
  );
  const began = new Set(rows.flatMap(({ phase, callId }) => (phase === 'started' ? [callId] : [])));
  return rows.flatMap((row) => {
    if (row.phase === 'settled' && began.has(row.callId)) return [];
    const { callId, turn, step, tool, effect } = row;
    const isStarted = row.phase === 'started';
    const end = ends.get(callId) ?? null;
    const { hash, previous } = end ?? row;
    return [
      {
        ...{ callId, turn, step, tool, effect, hash, previous },
        arguments: row.arguments ?? end?.arguments ?? null,
        startedSeq: isStarted ? row.seq : null,
        startedAt: isStarted ? row.at : null,
        settledSeq: end?.seq ?? null,
        settledAt: end?.at ?? null,
        outcome: end?.outcome ?? null,
        receipt: end?.receipt ?? null,
        hasOutput: end?.outputRef !== undefined,
      },
    ];
  });
}

function problem(code: 'not_found' | 'no_longer_kept', detail: string): ApiProblem {
  const [status, title] = TITLES[code] ?? [404, code];
  return new ApiProblem({ type: 'about:blank', title, status, detail, code });
}
