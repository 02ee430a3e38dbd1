import { ruleText } from '../../../schema/rule-text.ts';
import type { HistoryPoint } from '../api/types.ts';
import { compact, dollars, duration } from './format.ts';
import { actionOf } from './ladder.ts';

/** The state panel's text, with a mark on what this very event changed. */
export interface PointFact {
  readonly name: string;
  readonly value: string;
  readonly isChanged: boolean;
}

export function pointFacts(point: HistoryPoint, before: HistoryPoint | undefined): PointFact[] {
  const earlier = before === undefined ? undefined : values(before);
  return Object.entries(values(point)).map(([name, value]) => ({
    name,
    value,
    isChanged: earlier !== undefined && earlier[name as keyof typeof earlier] !== value,
  }));
}

const of = (used: string, limit: string | null): string =>
  limit === null ? used : `${used} of ${limit}`;

function values({ revision, turn, budget, usage, activity, decision, ledgerSeq }: HistoryPoint) {
  const { tokens, costUsd, turns, activeSeconds } = budget;
  return {
    Revision: String(revision),
    Turn: of(String(turn), turns === null ? null : String(turns)),
    Acting: `${activity.actor}: ${activity.reason}`,
    'Last decision':
      decision === null
        ? '–'
        : `${ruleText(decision.rule, decision.ruleName)}, ${actionOf(decision.action).word}`,
    Tokens: of(compact(usage.tokens), tokens === null ? null : compact(tokens)),
    Cost: of(dollars(usage.costUsd), costUsd === null ? null : dollars(costUsd)),
    'Active time': of(
      duration(usage.activeSeconds),
      activeSeconds === null ? null : duration(activeSeconds),
    ),
    'Ledger head': ledgerSeq === 0 ? '–' : `#${ledgerSeq}`,
  };
}

/** The items of the list that this event changed. */
export function changedItems(
  point: HistoryPoint,
  before: HistoryPoint | undefined,
): ReadonlySet<string> {
  if (before === undefined) return new Set();
  const earlier = new Map(before.todos.items.map((item) => [item.id, JSON.stringify(item)]));
  const changed = point.todos.items.filter((item) => earlier.get(item.id) !== JSON.stringify(item));
  return new Set(changed.map(({ id }) => id));
}

/** Events of the record, in words. */
export function eventWords({ event }: Pick<HistoryPoint, 'event'>): string {
  const data = (event.data ?? {}) as Readonly<Record<string, unknown>>;
  const parts = ['turn', 'step', 'tool', 'outcome', 'kind', 'action'].flatMap((name) =>
    data[name] === undefined || typeof data[name] === 'object'
      ? []
      : [name === 'turn' || name === 'step' ? `${name} ${data[name]}` : String(data[name])],
  );
  return [event.type, parts.join(', ')].filter((part) => part !== '').join(': ');
}
