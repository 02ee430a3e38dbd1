import { initialTransition, transition } from 'xstate';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { ChartSnapshot, GoalState, Wait } from '../../contract/goal-state.ts';
import {
  amend,
  answer,
  chart,
  fallBack,
  fields,
  goOn,
  onLimit,
  pause,
  resume,
  wait,
} from './context-changes.ts';

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
 * An external goal waits for its session (context.wait) in the middle of a turn; `session.ended`
 * takes that turn to its judgement.
 *
 * A goal that disputes a criterion goes on when a person insists (`goal.answered`) or amends the
 * criteria, and is archived as it is, paused, when a person ends it as infeasible (`goal.ended`).
 *
 * A rewind (`goal.rewound`) leaves a goal that waits or is paused paused, whatever it stood for.
 *
 * Clearing archives and changes no status. An event that a state doesn't name is refused by
 * {@link canTake}; the chart has no timers, actors or invocations, and runs nothing.
 */
const goalMachine = chart.createMachine({
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
  on: {
    'goal.cleared': { actions: 'archive' },
    'chain.set': { actions: { type: 'setChain', params: fields } },
    'chain.cancelled': { actions: 'cancelChain' },
    'fallback.ended': { actions: 'endFallback' },
  },
  states: {
    active: {
      initial: 'running',
      on: {
        'turn.paused': { target: '#goal.paused', actions: pause },
        'turn.limited': [...onLimit],
        'turn.completed': { target: '#goal.complete', actions: 'complete' },
        'goal.paused': { target: '#goal.paused', actions: pause },
        'goal.completed': { target: '#goal.complete', actions: 'complete' },
        'goal.amended': [...onLimit, { actions: [...amend] }],
        'execution.lost': { target: '#goal.paused', actions: pause },
        'model.fell_back': { target: '.running', actions: ['endWait', fallBack] },
        'limit.passed': [...onLimit],
      },
      states: {
        running: {
          on: {
            'turn.continued': { actions: goOn },
            'turn.held': { actions: 'hold' },
            'turn.waits': { target: 'waiting', actions: wait },
            'wait.began': { target: 'waiting', actions: wait },
            'goal.messaged': { actions: goOn },
            'goal.answered': { actions: goOn },
          },
        },
        waiting: {
          on: {
            'goal.amended': [
              ...onLimit,
              {
                guard: { type: 'leavesClaim', params: fields },
                target: 'running',
                actions: ['rearm', resume],
              },
              {
                guard: { type: 'freesProvider', params: fields },
                target: 'running',
                actions: ['rearm', 'endWait', 'endFallback'],
              },
              {
                guard: { type: 'endsWait', params: fields },
                target: 'running',
                actions: [...amend, resume],
              },
              { actions: [...amend] },
            ],
            'goal.resumed': {
              guard: 'waitsForProvider',
              target: 'running',
              actions: ['endWait', 'endFallback'],
            },
            'claim.granted': { target: 'running', actions: { type: 'grantClaim', params: fields } },
            'claim.declined': [...onLimit, { target: 'running', actions: answer }],
            'wait.ended': { target: 'running', actions: 'endWait' },
            'session.ended': { guard: 'waitsForSession', target: 'running', actions: 'endWait' },
            'goal.messaged': { target: 'running', actions: goOn },
            'goal.answered': { target: 'running', actions: goOn },
            'goal.rewound': { target: '#goal.paused', actions: pause },
          },
        },
      },
    },
    paused: {
      on: {
        // A person who resumes has seen to whatever kept the first model away.
        'goal.resumed': [...onLimit, { target: 'active', actions: [goOn, 'endFallback'] }],
        'goal.messaged': [...onLimit, { target: 'active', actions: goOn }],
        'goal.answered': [...onLimit, { target: 'active', actions: goOn }],
        'claim.declined': [...onLimit, { target: 'active', actions: answer }],
        'claim.granted': { target: 'active', actions: { type: 'grantClaim', params: fields } },
        'goal.amended': [
          {
            guard: { type: 'leavesClaim', params: fields },
            actions: ['rearm', 'dropApproval'],
          },
          {
            guard: { type: 'liftsDispute', params: fields },
            target: 'active',
            actions: [...amend, resume],
          },
          { actions: [...amend] },
        ],
        'goal.completed': { target: '#goal.complete', actions: 'complete' },
        // Nothing leads back: the goal was asked for what can't be done.
        'goal.ended': { guard: 'isDisputed', actions: [pause, 'archive'] },
        // The reason for its pause is about work that is gone.
        'goal.rewound': { actions: pause },
        'turn.held': { actions: 'stay' },
      },
    },
    budget_limited: {
      initial: 'wrapping_up',
      on: {
        'goal.amended': [
          {
            guard: { type: 'isLimited', params: fields },
            actions: { type: 'nameLimit', params: fields },
          },
          { target: '#goal.active', actions: ['rearm', resume] },
        ],
        'goal.completed': { target: '#goal.complete', actions: 'complete' },
      },
      states: {
        wrapping_up: {
          on: {
            'turn.held': { actions: 'stay' },
            /** The wrap-up turn settled. */
            'turn.limited': { target: 'stopped' },
            'wait.began': { actions: wait },
            'wait.ended': { actions: 'endWait' },
            'goal.resumed': { guard: 'waitsForProvider', actions: ['endWait', 'endFallback'] },
            'model.fell_back': { actions: ['endWait', fallBack] },
            'execution.lost': { target: 'stopped', actions: 'endWait' },
          },
        },
        stopped: { on: { 'turn.held': { actions: 'stay' }, 'goal.rewound': { actions: 'stay' } } },
      },
    },
    complete: { on: { 'turn.held': { actions: 'stay' } } },
  },
});

function restore({ value, context }: ChartSnapshot) {
  return goalMachine.resolveState({ value, context });
}

/** The chart of a goal that was just accepted. */
export function initialChart(): ChartSnapshot {
  const [{ value, context }] = initialTransition(goalMachine);
  return { value, context };
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
  return { value, context };
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
