import { describe, expect, it } from 'vitest';
import { createLiveFeed } from '../../src/api/live-feed.ts';

describe('the live feed', () => {
  it('notifies those who listen to a goal, and nobody who left', () => {
    const feed = createLiveFeed();
    const notified: string[] = [];
    const leaveA = feed.subscribe('a', () => notified.push('a1'));
    feed.subscribe('a', () => notified.push('a2'));
    feed.subscribe('b', () => notified.push('b'));
    feed.subscribeAll((goalIds) => notified.push(`all:${goalIds.join()}`));
    feed.notify(['a']);
    leaveA();
    leaveA();
    feed.notify(['a', 'c']);
    expect(notified).toEqual(['a1', 'a2', 'all:a', 'a2', 'all:a,c']);
  });

  it('hands what commands print to those who follow their goal', () => {
    const feed = createLiveFeed();
    const heard: string[] = [];
    const leave = feed.subscribeOutput('a', ({ text }) => heard.push(text));
    const piece = { goalId: 'a', turn: 1, callId: 't1.s1.0', began: 1, start: 0, text: 'one' };
    feed.print(piece);
    feed.print({ ...piece, goalId: 'b' });
    leave();
    feed.print({ ...piece, text: 'two' });
    expect(heard).toEqual(['one']);
  });

  it('notifies everyone when notifications may have been missed', () => {
    const feed = createLiveFeed();
    const notified: string[] = [];
    for (const goalId of ['a', 'b']) feed.subscribe(goalId, () => notified.push(goalId));
    feed.subscribeAll(() => notified.push('all'));
    feed.notifyAll();
    expect(notified).toEqual(['a', 'b', 'all']);
  });
});
