import type { Completion, Goal } from '../../schema/goal.ts';
import { cachedShare } from '../api/cached-share.ts';
import { scopeBeside } from '../proof/scope/scope-sentence.ts';
import { networkText } from './network-text.ts';
import { requirementLines } from './requirement-text.ts';
import { hanging } from './screen/fit.ts';
import type { GoalLink } from './screen/goal-link.ts';
import type { Look } from './screen/look.ts';
import { clock } from './screen/units.ts';
import { oneLine, plain, printable, table } from './terminal.ts';

/** @param silent what is told of models that are silent, by goal */
export function goalTable(
  goals: readonly Goal[],
  goalLink: GoalLink,
  silent: ReadonlyMap<string, string> = new Map(),
): string {
  const rows = goals.map((goal) => [
    goalLink(goal.goalId, goal.goalId),
    stateOf(goal),
    isOver(goal) ? '-' : goal.activity.actor,
    `${goal.usage.turns} ${goal.usage.turns === 1 ? 'turn' : 'turns'}`,
    goal.workspace.name,
    oneLine(goal.objective, 60),
  ]);
  const notes = [...silent].map(([goalId, words]) => `${goalLink(goalId, goalId)}: ${words}`);
  const heads = ['GOAL', 'STATE', 'WHO', 'USED', 'WORKSPACE', 'OBJECTIVE'];
  return [table([heads, ...rows]), ...notes].join('\n');
}

function stateOf(goal: Goal): string {
  if (goal.archivedAt !== undefined) return `${goal.status} (archived)`;
  if (goal.pause !== undefined) return `paused/${goal.pause.reason}`;
  return goal.status;
}

type GoalLook = Pick<Look, 'width' | 'isFile' | 'paint'>;

const FILE: GoalLook = { width: 0, isFile: true, paint: plain };

/**
 * Everything a person wants to know first, and who has to act.
 * @param silence that its model is silent; absent = it is not, or nobody looked
 */
export function goalText(goal: Goal, look: GoalLook = FILE, silence?: string): string {
  const { usage, budget } = goal;
  const network = networkText(goal.policy);
  const scope = goal.scope === undefined ? null : scopeBeside(goal.scope, goal.notices);
  const lines = [
    ['goal', goal.goalId],
    ['objective', oneLine(goal.objective, 400)],
    ['state', `${stateOf(goal)}, revision ${goal.revision}`],
    ...(isOver(goal) ? [] : [['now', [nowText(goal), silence ?? []].flat().join('; ')]]),
    ['thread', goal.threadId],
    ...(goal.continues === undefined ? [] : [['continues', goal.continues]]),
    ...(goal.plannedBy === undefined ? [] : [['planned by', goal.plannedBy]]),
    ...(goal.handedTo === undefined ? [] : [['handed to', goal.handedTo]]),
    ...(goal.follows === undefined ? [] : [['follows', goal.follows]]),
    ...(goal.followedBy === undefined ? [] : [['followed by', goal.followedBy]]),
    ...(goal.then ?? []).map(({ objective }) => ['then', oneLine(objective, 200)]),
    ...(goal.thenRefused === undefined ? [] : [['not begun', goal.thenRefused]]),
    ...(goal.agent === undefined ? [] : [['agent', goal.agent]]),
    ['model', modelText(goal)],
    ['workspace', `${goal.workspace.name} at ${goal.workspace.path}`],
    [
      'used',
      [
        `${usage.turns}${of(budget.turns)} turns`,
        `${usage.tokens}${of(budget.tokens)} tokens`,
        `${Math.round(usage.activeSeconds)}${of(budget.activeSeconds)} s`,
        // A cost of 0 without a cost limit means that the model's price is unknown.
        ...(usage.costUsd === '0' && budget.costUsd === null
          ? []
          : [`$${usage.costUsd}${of(budget.costUsd)}`]),
        ...(usage.cachedInputTokens === 0
          ? []
          : [`${Math.round(100 * cachedShare(usage))} % of the input from the cache`]),
      ].join(', '),
    ],
    ['todos', `${goal.todos.done} of ${goal.todos.total}`],
    ...(scope === null ? [] : [['scope', oneLine(scope, 600)]]),
    ...(goal.notices ?? []).map(({ text }) => ['notice', oneLine(text, 400)]),
    ['isolation', goal.isolation],
    ...(network === null ? [] : [['network', network]]),
  ];
  const names = Math.max(...lines.map(([name = '']) => name.length)) + 2;
  return [
    ...table(lines)
      .split('\n')
      .flatMap((line, index) => {
        const broken = hanging(line, look, names);
        return isOpen(goal, lines[index]?.[0]) ? broken.map(look.paint.bad) : broken;
      }),
    ...[
      ...criterionLines(goal),
      ...(goal.requirements === undefined
        ? []
        : ['requirements', ...requirementLines(goal.requirements)]),
      ...pauseLines(goal),
      ...completionLines(goal),
    ]
      .flatMap((line) => line.split('\n'))
      .flatMap((line) => hanging(line, look)),
  ].join('\n');
}

/** Nothing stands between commands and what this line names. */
function isOpen({ policy, isolation, mode }: Goal, line: string | undefined): boolean {
  if (line === 'network') return policy.sandbox?.network === 'host';
  return line === 'isolation' && isolation === 'none' && mode === 'agent';
}

function modelText({ model, fallbackModel, fallback, mode }: Goal): string {
  const names = `${model}${fallbackModel === undefined ? '' : `, fallback ${fallbackModel}`}, mode ${mode}`;
  if (fallback === undefined) return names;
  return `${names}; ${fallback.model} stands in until ${fallback.until} (${oneLine(fallback.reason, 200)})`;
}

/** The goal needs no further act. */
export function isOver({ status, archivedAt }: Goal): boolean {
  return status === 'complete' || archivedAt !== undefined;
}

/** The goal's activity and its next actor: `works on turn 3 since 10:20:30 (Agent)`. */
export function nowText({ activity, usage }: Goal): string {
  const { state, on, reason, actor, since, until } = activity;
  if (state === 'running')
    return `works on turn ${Math.max(1, usage.own.turns)} since ${clock(since)} (${actor})`;
  const end = until === undefined ? '' : ` until ${until}`;
  const next =
    on === 'provider' || on === 'spend'
      ? '; the next try follows then, or at once with "resume"'
      : '';
  return `${oneLine(reason, 200)}${end} (${actor})${next}`;
}

function of(limit: number | string | null): string {
  return limit === null ? '' : ` of ${limit}`;
}

export function criterionLines(goal: Pick<Goal, 'criteria'>): string[] {
  return goal.criteria.map(({ criterionId, spec, state, baseline, origin, reason }) => {
    const what =
      'command' in spec ? spec.command : 'question' in spec ? spec.question : wordsOf(spec);
    const from = origin === 'caller' ? '' : `, ${origin}`;
    const [first = ''] = (reason ?? '').split('\n');
    const why = first === '' ? '' : ` — ${oneLine(first, 120)}`;
    return `  ${criterionId}  ${state.padEnd(8)} ${oneLine(spec.name ?? what, 80)} (baseline ${baseline}${from})${why}`;
  });
}

const wordsOf = (spec: Goal['criteria'][number]['spec']): string =>
  spec.kind === 'sealed' ? `sealed ${spec.sealedId}` : spec.kind;

function pauseLines({ goalId, pause }: Goal): string[] {
  if (pause === undefined) return [];
  const missing =
    pause.missing.length === 0
      ? []
      : [`missing: ${pause.missing.join(', ')}`, `why: goalkeeper gate ${goalId}`];
  const question = pause.questionId === undefined ? [] : [`question: ${pause.questionId}`];
  const dispute = pause.reason === 'disputed' ? [`decide: goalkeeper dispute ${goalId}`] : [];
  const reason = [pause.reason, pause.blocker ?? []].flat().join(', ');
  return [
    '',
    `paused (${reason}): ${printable(pause.message)}`,
    ...missing,
    ...question,
    ...dispute,
  ];
}

const isolationOf = ({ isolation }: Completion): string[] =>
  isolation === undefined ? [] : [`isolation ${isolation}`];

function completionLines({ completion }: Goal): string[] {
  if (completion === undefined) return [];
  const files = completion.changedFiles.map((file) => `  ${printable(file)}`);
  return [
    '',
    `complete (${[completion.verification, completion.source, ...isolationOf(completion)].join(', ')})`,
    ...(completion.coverage === undefined ? [] : [completion.coverage.statement]),
    printable(completion.result),
    ...(completion.command === undefined ? [] : [`shown by: ${oneLine(completion.command, 2000)}`]),
    ...files,
  ];
}
