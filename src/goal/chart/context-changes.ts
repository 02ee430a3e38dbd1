import { assign, setup } from 'xstate';
import type { Pause } from '../../../schema/goal.ts';
import type { GoalEvent } from '../../contract/goal-event.ts';
import type { Fallback, GoalContext, Wait } from '../../contract/goal-state.ts';
import type { LimitReached, TurnKind, WakeChain } from '../../contract/turn-facts.ts';
import { waitsForNews } from '../waits/chain.ts';

const atWork = { pause: null, limit: null, wait: null, claim: null } as const;

const turnOf = (next: TurnKind) => ({ ...atWork, next });

interface MayLimit {
  readonly limit: LimitReached | null;
}

/** It waits for what stands between it and its next model call. */
const isKeptFromModel = ({ wait }: GoalContext): boolean =>
  wait?.on === 'provider' || wait?.on === 'spend';

/** Everything that the chart asks and changes, typed by the events of which it is part. */
export const chart = setup({
  types: {} as { context: GoalContext; events: GoalEvent; input: undefined },
  guards: {
    isLimited: (_, { limit }: MayLimit) => limit !== null,
    /** A limit gets one wrap-up; reaching it again without having been raised gets none. */
    wasWrappedUp: ({ context }, { limit }: MayLimit) =>
      limit !== null && context.wrappedUp.includes(limit.name),
    /** A claim that waits for a person was judged by the criteria as they were. */
    leavesClaim: ({ context }, { changesCriteria = false }: { changesCriteria?: boolean }) =>
      changesCriteria &&
      (context.wait?.on === 'approval' || context.pause?.reason === 'unverified_claim'),
    /** A person amended the criteria of a goal that disputes one. */
    liftsDispute: ({ context }, { amendsCriteria = false }: { amendsCriteria?: boolean }) =>
      amendsCriteria && context.pause?.reason === 'disputed',
    /** There is another model to ask than the one whose provider is waited for. */
    freesProvider: ({ context }, { changesModel = false }: { changesModel?: boolean }) =>
      changesModel && isKeptFromModel(context),
    /** It waits for something to happen, and was asked for something else. */
    endsWait: ({ context }, { asksAnew = false }: { asksAnew?: boolean }) =>
      asksAnew && context.wait !== null && waitsForNews(context.wait.on),
    isDisputed: ({ context }) => context.pause?.reason === 'disputed',
    waitsForProvider: ({ context }) => isKeptFromModel(context),
    waitsForSession: ({ context }) => context.wait?.on === 'session',
  },
  actions: {
    goOn: assign((_, { next }: { next: TurnKind }) => turnOf(next)),
    /** An open turn was left behind: whatever comes next resumes it. */
    hold: assign({ next: 'resume', claim: null }),
    wait: assign((_, { wait, next }: { wait: Wait; next?: TurnKind }) =>
      next === undefined ? { wait } : { wait, next, claim: null },
    ),
    endWait: assign({ wait: null }),
    pause: assign((_, { pause }: { pause: Pause }) => ({ ...atWork, pause })),
    limit: assign(({ context }, { limit }: MayLimit) => {
      if (limit === null) return {};
      const wrappedUp = [...new Set([...context.wrappedUp, limit.name])];
      return { ...turnOf('wrap_up'), limit, wrappedUp };
    }),
    nameLimit: assign((_, { limit }: MayLimit) => ({ limit })),
    /** Limits that were reached before may be wrapped up once more. */
    rearm: assign({ wrappedUp: [] }),
    complete: assign(atWork),
    archive: assign({ isArchived: true }),
    grantClaim: assign((_, { claim }: { claim: string }) => ({ ...turnOf('wake'), claim })),
    dropApproval: assign(({ context }) => {
      if (context.pause === null) return {};
      const { approvalId: _, ...pause } = context.pause;
      return { pause };
    }),
    fallBack: assign((_, { fallback }: { fallback: Fallback }) => ({ fallback })),
    endFallback: assign({ fallback: null }),
    /** A caller who names another model wants that one asked. */
    askNewModel: assign((_, { changesModel = false }: { changesModel?: boolean }) =>
      changesModel ? { fallback: null } : {},
    ),
    setChain: assign((_, { chain }: { chain: WakeChain | null }) => ({ chain })),
    /** A request from before this generation is void. */
    cancelChain: assign(({ context }) => ({
      chain: null,
      generation: (context.generation ?? 0) + 1,
    })),
    /**
     * XState says that an event can't be taken where a transition has neither target nor action.
     */
    stay: assign({}),
  },
});

/** An event's own fields are what its guards and actions are given. */
export const fields = <Event>({ event }: { event: Event }): Event => event;

export const goOn = { type: 'goOn', params: fields } as const;
export const pause = { type: 'pause', params: fields } as const;
export const wait = { type: 'wait', params: fields } as const;
export const fallBack = { type: 'fallBack', params: fields } as const;
export const amend = ['rearm', { type: 'askNewModel', params: fields }] as const;
export const answer = { type: 'goOn', params: { next: 'answer' } } as const;
export const resume = { type: 'goOn', params: { next: 'resume' } } as const;

export const onLimit = [
  {
    guard: { type: 'wasWrappedUp', params: fields },
    target: '#goal.budget_limited.stopped',
    actions: { type: 'limit', params: fields },
  },
  {
    guard: { type: 'isLimited', params: fields },
    target: '#goal.budget_limited.wrapping_up',
    actions: { type: 'limit', params: fields },
  },
] as const;
