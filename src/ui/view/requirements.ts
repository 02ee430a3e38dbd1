import type { Gate, Goal, TodoItem } from '../api/types.ts';
import { criterionText } from './criterion-text.ts';
import { type EvidenceState, evidenceOfCriterion, evidenceOfTodo } from './evidence.ts';
import { plural } from './format.ts';

export interface Requirement {
  readonly kind: 'criterion' | 'todo';
  readonly id: string;
  readonly text: string;
  readonly isCode: boolean;
  readonly rule: string;
  readonly state: EvidenceState;
  /** Empty where nothing is left to do. */
  readonly satisfy: string;
  /** The output of the last look, line by line; empty where nothing is told of it. */
  readonly printed: string;
  readonly who: 'You' | 'Agent' | 'Host' | '';
  readonly receipts: readonly number[];
  /** The ledger row of a later write to the item's files. */
  readonly writtenAfter: number | null;
}

const order: readonly EvidenceState[] = [
  'waiting',
  'failed',
  'stale',
  'doing',
  'open',
  'holds',
  'here',
  'proved',
  'dropped',
];

/** Criteria and todo items as one list, what lacks most first. */
export function requirementsOf(
  goal: Goal,
  gate: Gate,
  items: readonly TodoItem[],
  asked: boolean,
): Requirement[] {
  const criteria = gate.criteria.map((criterion): Requirement => {
    const state = evidenceOfCriterion(goal, criterion, asked);
    const { what, rule, isCode } = criterionText(criterion);
    const isPersons = criterion.spec.kind === 'approval';
    const isHosts = criterion.spec.kind === 'command' && criterion.spec.check !== 'receipt';
    const { told, printed } = partsOf(gate.reasons[criterion.criterionId] ?? criterion.reason);
    const isAsked = gate.reasons[criterion.criterionId] !== undefined;
    return {
      kind: 'criterion',
      id: criterion.criterionId,
      text: what,
      isCode,
      rule,
      state,
      satisfy: isMet(state) ? '' : isAsked ? told : neverAsked(isPersons, isHosts, told),
      printed: isMet(state) ? '' : printed,
      who: isMet(state) ? '' : isPersons ? 'You' : 'Agent',
      receipts: criterion.receipts,
      writtenAfter: null,
    };
  });
  const todos = items.map((item): Requirement => {
    const state = evidenceOfTodo(item);
    const isOpen = state !== 'proved' && state !== 'dropped';
    return {
      kind: 'todo',
      id: item.id,
      text: item.content,
      isCode: false,
      rule:
        item.acceptedBy === undefined
          ? 'completed with receipts'
          : `accepted by ${item.acceptedBy}`,
      state,
      satisfy: isOpen ? 'A claim by complete_step that cites a receipt.' : (item.reason ?? ''),
      printed: '',
      who: isOpen ? 'Agent' : '',
      receipts: item.receipts,
      writtenAfter: item.writtenAfter?.seq ?? null,
    };
  });
  return [...criteria, ...todos].sort(
    (left, right) => order.indexOf(left.state) - order.indexOf(right.state),
  );
}

/** Nothing is left to do for it by itself; whether that is a proof is the goal's. */
const isMet = (state: EvidenceState): boolean => ['proved', 'holds', 'here'].includes(state);

/** Whether something is left to do for it. */
export const isLacking = ({ state }: Pick<Requirement, 'state'>): boolean =>
  !isMet(state) && state !== 'dropped';

/** A reason is a line that says it, and sometimes below it what a check printed. */
function partsOf(reason = ''): { told: string; printed: string } {
  const [told = '', ...lines] = reason.split('\n');
  const isHeaded = lines[0]?.endsWith(':') === true;
  return { told, printed: lines.slice(isHeaded ? 1 : 0).join('\n') };
}

const neverAsked = (isPersons: boolean, isHosts: boolean, seen: string): string => {
  if (isPersons) return 'A person answers when everything else holds.';
  const words = isHosts
    ? 'The host runs it itself at the claim.'
    : 'A fresh receipt that shows it.';
  return seen === '' ? words : `${words} Seen so far: ${seen.replace(/\.$/, '')}.`;
};

/** The steps that are left, in the order in which they can happen. */
export function shortestWay(all: readonly Requirement[]): string[] {
  const lacking = (isMeant: (one: Requirement) => boolean) =>
    all.filter((one) => isLacking(one) && isMeant(one));
  const todos = lacking(({ kind }) => kind === 'todo');
  const checks = lacking(({ kind, who }) => kind === 'criterion' && who === 'Agent');
  const persons = lacking(({ who }) => who === 'You');
  if (todos.length + checks.length + persons.length === 0) return [];
  return [
    ...(todos.length > 0
      ? [`complete ${plural(todos.length, 'todo item')} with receipts (agent)`]
      : []),
    ...(checks.length > 0
      ? [`make ${checks.map(({ id }) => id).join(', ')} hold after the last write (agent)`]
      : []),
    'claim; the host repeats the checks itself',
    ...(persons.length > 0 ? [`approve ${persons.map(({ id }) => id).join(', ')} (you)`] : []),
  ];
}
