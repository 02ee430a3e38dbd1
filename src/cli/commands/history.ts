import type { History, HistoryPoint, HistoryTurn } from '../../../schema/history.ts';
import { ruleText } from '../../../schema/rule-text.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';
import { oneLine } from '../terminal.ts';

interface HistoryOptions extends CommonOptions {
  readonly turn?: number;
  readonly limit?: number;
  readonly events?: boolean;
}

/** Shows the newest turns in order of time, or the state at the end of one. */
export async function history(prefix: string, options: HistoryOptions): Promise<ExitCode> {
  const session = openSession(options);
  const path = `/v1/goals/${await findGoalId(session, prefix)}/history`;
  if (options.turn !== undefined) {
    const point = await session.client.get<HistoryPoint>(`${path}/point?turn=${options.turn}`);
    print(session, point, () => pointText(point));
    return EXIT.complete;
  }
  const found = await session.client.get<History>(`${path}?limit=${options.limit ?? 10}`);
  print(session, found, () => historyText(found, options.events === true));
  return EXIT.complete;
}

const WORDS: Record<History['temporal'], string> = {
  kept: '',
  partly: "Temporal keeps a part of these turns' events no longer.",
  expired: "Temporal keeps these turns' events no longer; the record has the rest.",
  away: 'Temporal does not answer now; this is what the record has.',
};

function historyText({ items, temporal, nextCursor }: History, hasEvents: boolean): string {
  const turns = items.toReversed().flatMap((turn) => turnLines(turn, hasEvents));
  const more = nextCursor === null ? [] : ['older turns: --limit N'];
  return [...more, ...turns, WORDS[temporal]].filter((line) => line !== '').join('\n');
}

const time = (at: string | null): string => at?.slice(11, 19) ?? '';

function turnLines(turn: HistoryTurn, hasEvents: boolean): string[] {
  const { steps, calls, events } = turn;
  const name = turn.turn === 0 ? 'accepted' : `turn ${turn.turn} ${turn.kind}`;
  const why =
    turn.sentence === null
      ? ''
      : `${ruleText(turn.rule, turn.ruleName)} ${turn.action}: ${oneLine(turn.sentence, 120)}`;
  const shown = steps.flatMap((step) => [
    `  ${time(step.startedAt)} ${step.kind === 'turn' ? `step ${step.step}` : step.kind} ${step.state} ${step.model} ${step.tokens} tokens $${step.costUsd}${step.trouble === null ? '' : ` ${oneLine(step.trouble, 80)}`}`,
    ...step.calls.map(callLine),
  ]);
  const temporal = hasEvents
    ? events.map(
        ({ run, eventId, type, at, about }) =>
          `  ${time(at)} ${run}.${eventId} ${type} ${oneLine(about, 80)}`,
      )
    : [];
  const head = `${time(turn.startedAt)} ${name}  ${why}`.trimEnd();
  return [head, ...shown, ...calls.map(callLine), ...temporal];
}

const callLine = ({ seq, tool, outcome, at }: HistoryTurn['calls'][number]): string =>
  `    ${time(at)} #${seq} ${tool} ${outcome ?? 'runs'}`;

function pointText(point: HistoryPoint): string {
  const { status, revision, turn, activity, usage, budget, todos, decision, ledgerSeq } = point;
  const of = (limit: number | string | null) => (limit === null ? '' : ` of ${limit}`);
  const proved = todos.items.filter((item) => item.status === 'completed').length;
  return [
    `${point.at}  event ${point.seq} of ${point.newest}: ${point.event.type}`,
    `${status}, revision ${revision}, turn ${turn}${of(budget.turns)}`,
    `next: ${activity.actor} | ${oneLine(activity.reason, 120)}`,
    ...(decision === null
      ? []
      : [
          `turn ${decision.turn}: ${ruleText(decision.rule, decision.ruleName)} ${decision.action}: ${oneLine(decision.sentence, 160)}`,
        ]),
    `tokens ${usage.tokens}${of(budget.tokens)}, $${usage.costUsd}${of(budget.costUsd)}, ledger row ${ledgerSeq}`,
    `todo list, revision ${todos.revision}: ${proved} of ${todos.items.length} completed`,
    ...todos.items.map((item) => `  ${item.status} ${oneLine(item.content, 120)}`),
  ].join('\n');
}
