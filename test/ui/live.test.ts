import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../src/ui/api/client.ts';
import { keys } from '../../src/ui/api/keys.ts';
import { ApiError } from '../../src/ui/api/problem.ts';
import { historyQuery, turnsQuery } from '../../src/ui/api/queries.ts';
import type { Goal } from '../../src/ui/api/types.ts';
import { createFollower } from '../../src/ui/live/followed.ts';
import { newestAlone, withHead } from '../../src/ui/live/head.ts';
import { patchGoal } from '../../src/ui/live/patch.ts';
import { sendFollowed } from '../../src/ui/live/send-followed.ts';
import { temporalNotice } from '../../src/ui/view/temporal-notice.ts';
import { eventually } from '../support/eventually.ts';

const goal = (goalId: string, revision: number, change: Partial<Goal> = {}): Goal =>
  ({
    goalId,
    revision,
    status: 'active',
    updatedAt: '2026-01-01T00:00:00.000Z',
    activity: { state: 'running', reason: '', since: '', actor: 'Agent' },
    usage: { steps: revision },
    ...change,
  }) as Goal;

const listOf = (...goals: Goal[]) => ({
  pages: [{ items: goals, nextCursor: null }],
  pageParams: [null],
});

describe('a notice of the live stream', () => {
  function known() {
    const client = new QueryClient();
    client.setQueryData(keys.goals({ sort: 'updated' }), listOf(goal('a', 3), goal('b', 1)));
    client.setQueryData(keys.goal('a'), goal('a', 3));
    return client;
  }
  const listed = (client: QueryClient) =>
    client
      .getQueryData<ReturnType<typeof listOf>>(keys.goals({ sort: 'updated' }))
      ?.pages[0]?.items.map(({ goalId, revision }) => `${goalId}${revision}`);

  it('replaces the goal wherever it is known, and leaves its place to the next fetch', () => {
    const client = known();
    expect(patchGoal(client, goal('a', 4))).toBe('in_place');
    expect(listed(client)).toEqual(['a4', 'b1']);
    expect(client.getQueryData<Goal>(keys.goal('a'))?.revision).toBe(4);
  });

  it('that comes late, behind the answer of an action, changes nothing', () => {
    const client = known();
    patchGoal(client, goal('a', 2));
    expect(listed(client)).toEqual(['a3', 'b1']);
    expect(client.getQueryData<Goal>(keys.goal('a'))?.revision).toBe(3);
  });

  it('asks for lists again where a goal is new or somebody else has to act', () => {
    const client = known();
    const mine = { state: 'idle', reason: '', since: '', actor: 'You' } as const;
    expect(patchGoal(client, goal('b', 2, { status: 'paused', activity: mine }))).toBe('moved');
    expect(patchGoal(client, goal('c', 1))).toBe('moved');
  });
});

describe('the newest page over what is loaded', () => {
  const page = (items: readonly number[], nextCursor: string | null = 'more') => ({
    items: items.map((turn) => ({ turn, text: `old ${turn}` })),
    nextCursor,
  });
  const loaded = { pages: [page([5, 4]), page([3, 2])], pageParams: [null, 'more'] };
  const idOf = ({ turn }: { turn: number }) => turn;
  const head = (...turns: number[]) => ({
    items: turns.map((turn) => ({ turn, text: `new ${turn}` })),
    nextCursor: 'more',
  });

  it('replaces what it knows, puts what is new in front, and keeps older pages', () => {
    const merged = withHead(loaded, head(7, 6, 5), idOf);
    expect(merged?.pages.map(({ items }) => items.map(({ text }) => text))).toEqual([
      ['new 7', 'new 6', 'new 5', 'old 4'],
      ['old 3', 'old 2'],
    ]);
  });

  it('CON-71: what a followed goal leaves far below goes, and can be loaded again from there', () => {
    const two = (...turns: number[]) => ({
      ...head(...turns),
      nextCursor: `after ${turns.at(-1)}`,
    });
    let all = withHead(loaded, two(6, 5), idOf) ?? loaded;
    for (let turn = 7; turn <= 300; turn += 1)
      all = withHead(all, two(turn, turn - 1), idOf) ?? all;
    expect(all.pages.flatMap(({ items }) => items)).toHaveLength(299);
    const short = newestAlone(all);
    expect(short.pages.map(({ items }) => items.map(idOf))).toEqual([[300, 299]]);
    expect(short.pages[0]?.nextCursor).toBe('after 299');
    expect(short.pageParams).toEqual([null]);
    // News goes on from it.
    const more = withHead(short, two(301, 300), idOf);
    expect(more?.pages.map(({ items }) => items.map(idOf))).toEqual([[301, 300, 299]]);
    expect(more?.pages[0]?.nextCursor).toBe('after 299');
    expect(newestAlone(loaded)).toBe(loaded);
  });

  it('is not put over a gap: then the list is loaded anew', () => {
    expect(withHead(loaded, head(99, 98), idOf)).toBeNull();
  });
});

describe('news of a goal', () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
    vi.restoreAllMocks();
  });

  it('reach its turns also where somebody looks at an asked-for one', async () => {
    const asked: (number | undefined)[] = [];
    let text = 'before';
    vi.spyOn(api, 'GET').mockImplementation((async (
      _path: string,
      { params }: { params: { query: { before?: number } } },
    ) => {
      asked.push(params.query.before);
      const data = { items: [{ turn: 7, text }], nextCursor: null };
      return { data, response: new Response() };
    }) as never);
    const client = new QueryClient();
    const watching = new InfiniteQueryObserver(client, turnsQuery('g', 7));
    closers.push(watching.subscribe(() => undefined));
    const shown = () => watching.getCurrentResult().data?.pages[0]?.items[0];
    await eventually(() => expect(shown()).toMatchObject({ text: 'before' }));
    text = 'after';
    const follower = createFollower(client);
    closers.push(follower.close);
    follower.goal('g');
    await eventually(() => expect(shown()).toMatchObject({ text: 'after' }));
    expect(new Set(asked).size).toBe(1);
    client.clear();
  });

  it('after an outage of Temporal: turns say what they lack until they were told anew', async () => {
    let temporal: 'away' | 'kept' = 'away';
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.spyOn(api, 'GET').mockImplementation((async (
      _path: string,
      { params }: { params: { query: { limit: number } } },
    ) => {
      const told = temporal;
      const isHead = params.query.limit < 20;
      if (!isHead && told === 'kept') await gate;
      const items = (isHead ? [5, 4] : [5, 4, 3]).map((turn) => ({ turn }));
      return { data: { items, nextCursor: '2', temporal: told }, response: new Response() };
    }) as never);
    const client = new QueryClient();
    const watching = new InfiniteQueryObserver(client, historyQuery('g', null, false));
    closers.push(watching.subscribe(() => undefined));
    const notice = () => {
      const pages = watching.getCurrentResult().data?.pages ?? [];
      const turns = pages.flatMap(({ items }) => items);
      return pages[0] === undefined ? undefined : temporalNotice(turns, pages[0].temporal);
    };
    await eventually(() => expect(notice()).toMatch(/does not answer now/));
    temporal = 'kept';
    const follower = createFollower(client);
    closers.push(follower.close);
    follower.goal('g');
    await eventually(() => expect(notice()).toMatch(/some of these turns/));
    release();
    await eventually(() => expect(notice()).toBeNull());
    client.clear();
  });
});

describe('what Temporal no longer has', () => {
  const turns = (...told: ('kept' | 'expired')[]) => told.map((temporal) => ({ temporal }));

  it('is said of the turns that are shown, also where only older ones lack it', () => {
    expect(temporalNotice(turns('kept', 'kept'), 'kept')).toBeNull();
    expect(temporalNotice(turns('kept', 'expired'), 'kept')).toMatch(/a part of these events/);
    expect(temporalNotice(turns('expired', 'expired'), 'expired')).toMatch(/have expired/);
  });
});

describe('an action on a goal that moves on', () => {
  const conflict = () =>
    new ApiError({ type: '', title: '', status: 409, detail: '', code: 'goal_conflict' }, null);
  const sending = async (now: Goal) => {
    const sent: number[] = [];
    const base = goal('a', 1);
    const followed = await sendFollowed({
      base,
      seen: base,
      isSame: (before, after) => before.status === after.status,
      send: async (revision) => {
        sent.push(revision);
        if (revision !== now.revision) throw conflict();
        return goal('a', revision + 1);
      },
      current: async () => now,
    });
    return { sent, followed };
  };

  it('follows it while it is in the same state', async () => {
    const { sent, followed } = await sending(goal('a', 4));
    expect(sent).toEqual([1, 4]);
    expect(followed).toMatchObject({ kind: 'done', goal: { revision: 5 } });
  });

  it('is not sent over what somebody else did', async () => {
    const { sent, followed } = await sending(goal('a', 4, { status: 'complete' }));
    expect(sent).toEqual([1]);
    expect(followed).toMatchObject({ kind: 'changed', goal: { status: 'complete' } });
  });
});
