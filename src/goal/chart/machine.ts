import { initialTransition, setup, transition } from 'xstate';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type {
  ChartSnapshot,
  ChartValue,
  GoalContext,
  GoalState,
  Wait,
} from '../../contract/goal-state.ts';
import type { LimitReached, TurnKind } from '../../contract/turn-facts.ts';

type Typed<Type extends GoalEvent['type']> = Extract<GoalEvent, { type: Type }>;

/** Who names another model wants that one asked. */
const firstModel = (event: GoalEvent) =>
  'changesModel' in event && event.changesModel === true ? { fallback: null } : {};

const clean = { pause: null, limit: null, wait: null, claim: null } as const;

const goesOn = (context: GoalContext, next: TurnKind): GoalContext => ({
  ...context,
  ...clean,
  next,
});

const limited = (context: GoalContext, limit: LimitReached): GoalContext => ({
  ...context,
  ...clean,
  limit,
  next: 'wrap_up',
  wrappedUp: [...new Set([...context.wrappedUp, limit.name])],
});

const overLimit = ({ event }: { event: GoalEvent }): boolean =>
  'limit' in event && event.limit !== null;

/** A limit gets one wrap-up; reaching it again without having been raised gets none. */
const needsNoWrapUp = ({ context, event }: { context: GoalContext; event: GoalEvent }): boolean =>
  'limit' in event && event.limit !== null && context.wrappedUp.includes(event.limit.name);

/** A claim that waits for a person was judged by the criteria as they were. */
const leavesClaim = ({ context, event }: { context: GoalContext; event: GoalEvent }): boolean =>
  'changesCriteria' in event &&
  event.changesCriteria === true &&
  (context.wait?.on === 'approval' || context.pause?.reason === 'unverified_claim');

/** There is another model to ask than the one whose provider is waited for. */
const freesProvider = ({ context, event }: { context: GoalContext; event: GoalEvent }): boolean =>
  'changesModel' in event && event.changesModel === true && context.wait?.on === 'provider';

const waitsForProvider = ({ context }: { context: GoalContext }): boolean =>
  context.wait?.on === 'provider';

const chart = setup({
  types: {} as { context: GoalContext; events: GoalEvent; input: undefined },
  guards: { overLimit, needsNoWrapUp, leavesClaim, freesProvider, waitsForProvider },
});

const limit = chart.assign(({ context, event }) =>
  limited(context, (event as Typed<'turn.limited'>).limit),
);
const goOn = chart.assign(({ context, event }) => ({
  ...goesOn(context, (event as Typed<'turn.continued'>).next),
  // A person who resumes has seen to whatever kept the first model away.
  ...(event.type === 'goal.resumed' ? { fallback: null } : {}),
}));
const pause = chart.assign(({ context, event }) => ({
  ...context,
  ...clean,
  pause: (event as Typed<'turn.paused'>).pause,
}));
const archive = chart.assign({ isArchived: true });
const rearm = chart.assign(({ event }) => ({ wrappedUp: [], ...firstModel(event) }));
const beginWait = chart.assign(({ context, event }) => {
  const { wait, ...named } = event as Typed<'turn.waits'> | Typed<'wait.began'>;
  if (!('next' in named)) return { ...context, wait };
  return { ...context, wait, next: named.next, claim: null };
});
const grant = chart.assign(({ context, event }) => ({
  ...goesOn(context, 'wake'),
  claim: (event as Typed<'claim.granted'>).claim,
}));
const dropApproval = chart.assign(({ context }) => {
  if (context.pause === null) return {};
  const { approvalId: _, ...pause } = context.pause;
  return { pause, wrappedUp: [] };
});
const endWait = chart.assign({ wait: null });
const fallBack = chart.assign(({ event }) => ({
  wait: null,
  fallback: (event as Typed<'model.fell_back'>).fallback,
}));
const renameLimit = chart.assign(({ event }) => ({
  limit: (event as Typed<'goal.amended'>).limit,
}));
const finish = chart.assign(clean);
const resume = chart.assign(({ context }) => ({ ...goesOn(context, 'resume'), wrappedUp: [] }));
const answer = chart.assign(({ context }) => goesOn(context, 'answer'));
const retryNow = chart.assign({ wait: null, fallback: null });
/** XState says that an event can't be taken where a transition has neither target nor action. */
const stay = chart.assign({});

const onLimit = [
  { guard: 'needsNoWrapUp', target: '#goal.budget_limited.stopped', actions: limit },
  { guard: 'overLimit', target: '#goal.budget_limited.wrapping_up', actions: limit },
] as const;

/**
 * The goal's chart. Four public states with their detail below:
 *
 * - `active.running`: a turn runs or is about to. `active.waiting`: context.wait says for whom and
 *   until when; a person's message ends it. Where it waits for approvals, the last one granted
 *   takes the claim to the gate again (context.claim), and one that is denied leads on. Where it
 *   waits for a provider, a resume tries at once; after the policy's end `model.fell_back` goes on
 *   with the other model. A deadline that passes meanwhile limits (`limit.passed`).
 * - `paused`: context.pause has the typed reason. A resume, a message or an answer leads back,
 *   unless a budget is used up; then to `budget_limited`.
 * - `budget_limited.wrapping_up`: one last turn without side effects, once per limit; then
 *   `stopped`. Only a changed budget leads back (`goal.amended` without a limit).
 * - `complete`: by a settled turn whose claim holds, or by a person. Nothing leads back.
 *
 * A rewind (`goal.rewound`) leaves a goal that waits or is paused paused, whatever it stood for.
 *
 * Clearing archives and changes no status. An event that a state doesn't name is refused by
 * {@link canTake}; the chart has no timers, actors or invocations, and runs nothing.
 */
export const goalMachine = chart.createMachine({
  id: 'goal',
  context: {
    next: 'start',
    pause: null,
    limit: null,
    wait: null,
    claim: null,
    wrappedUp: [],
    isArchived: false,
  },
  initial: 'active',
  on: { 'goal.cleared': { actions: archive } },
  states: {
    active: {
      initial: 'running',
      on: {
        'turn.paused': { target: '#goal.paused', actions: pause },
        'turn.limited': [...onLimit],
        'turn.completed': { target: '#goal.complete', actions: finish },
        'goal.paused': { target: '#goal.paused', actions: pause },
        'goal.completed': { target: '#goal.complete', actions: finish },
        'goal.amended': [...onLimit, { actions: rearm }],
        'execution.lost': { target: '#goal.paused', actions: pause },
        'model.fell_back': { target: '.running', actions: fallBack },
        'limit.passed': [...onLimit],
      },
      states: {
        running: {
          on: {
            'turn.continued': { actions: goOn },
            'turn.held': { actions: chart.assign({ next: 'resume', claim: null }) },
            'turn.waits': { target: 'waiting', actions: beginWait },
            'wait.began': { target: 'waiting', actions: beginWait },
            'goal.messaged': { actions: goOn },
            'goal.answered': { actions: goOn },
          },
        },
        waiting: {
          on: {
            'goal.amended': [
              ...onLimit,
              { guard: 'leavesClaim', target: 'running', actions: resume },
              { guard: 'freesProvider', target: 'running', actions: [rearm, retryNow] },
              { actions: rearm },
            ],
            'goal.resumed': { guard: 'waitsForProvider', target: 'running', actions: retryNow },
            'claim.granted': { target: 'running', actions: grant },
            'claim.declined': [...onLimit, { target: 'running', actions: answer }],
            'wait.ended': { target: 'running', actions: endWait },
            'goal.messaged': { target: 'running', actions: goOn },
            'goal.answered': { target: 'running', actions: goOn },
            'goal.rewound': { target: '#goal.paused', actions: pause },
          },
        },
      },
    },
    paused: {
      on: {
        'goal.resumed': [...onLimit, { target: 'active', actions: goOn }],
        'goal.messaged': [...onLimit, { target: 'active', actions: goOn }],
        'goal.answered': [...onLimit, { target: 'active', actions: goOn }],
        'claim.declined': [...onLimit, { target: 'active', actions: answer }],
        'claim.granted': { target: 'active', actions: grant },
        'goal.amended': [{ guard: 'leavesClaim', actions: dropApproval }, { actions: rearm }],
        'goal.completed': { target: '#goal.complete', actions: finish },
        // What it was paused for is about work that is gone.
        'goal.rewound': { actions: pause },
        'turn.held': { actions: stay },
      },
    },
    budget_limited: {
      initial: 'wrapping_up',
      on: {
        'goal.amended': [
          { guard: 'overLimit', actions: renameLimit },
          { target: '#goal.active', actions: resume },
        ],
        'goal.completed': { target: '#goal.complete', actions: finish },
      },
      states: {
        wrapping_up: {
          on: {
            'turn.held': { actions: stay },
            /** The wrap-up turn settled. */
            'turn.limited': { target: 'stopped' },
            'wait.began': { actions: beginWait },
            'wait.ended': { actions: endWait },
            'goal.resumed': { guard: 'waitsForProvider', actions: retryNow },
            'model.fell_back': { actions: fallBack },
            'execution.lost': { target: 'stopped', actions: endWait },
          },
        },
        stopped: { on: { 'turn.held': { actions: stay }, 'goal.rewound': { actions: stay } } },
      },
    },
    complete: { on: { 'turn.held': { actions: stay } } },
  },
});

function restore({ value, context }: ChartSnapshot) {
  return goalMachine.resolveState({ value: value as never, context });
}

/** The chart of a goal that was just accepted. */
export function initialChart(): ChartSnapshot {
  const [{ value, context }] = initialTransition(goalMachine);
  return { value: value as ChartValue, context };
}

/** False for an event that the present state refuses: XState itself would ignore it silently. */
export function canTake(chart: ChartSnapshot, event: GoalEvent): boolean {
  return restore(chart).can(event);
}

/** @throws TypeError for an event that {@link canTake} would have refused. */
export function step(chart: ChartSnapshot, event: GoalEvent): ChartSnapshot {
  if (!canTake(chart, event)) {
    throw new TypeError(`${JSON.stringify(chart.value)} cannot take ${event.type}`);
  }
  const [{ value, context }] = transition(goalMachine, restore(chart), event);
  return { value: value as ChartValue, context };
}

export function isWrappingUp({ value }: ChartSnapshot): boolean {
  return (
    typeof value === 'object' && 'budget_limited' in value && value.budget_limited === 'wrapping_up'
  );
}

/** The workflow's own waits: for a workspace, a worker or a provider, in the middle of a turn. */
export function applyWait(state: GoalState, wait: Wait | null): ChartSnapshot {
  return step(state.chart, wait === null ? { type: 'wait.ended' } : { type: 'wait.began', wait });
}
