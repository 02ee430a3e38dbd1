import { describe, expect, it } from 'vitest';
import { createLiveFeed } from '../../src/api/live-feed.ts';

describe('the live feed', () => {
  it('rings those who listen to a goal, and nobody who left', () => {
    const feed = createLiveFeed();
    const rung: string[] = [];
    const leaveA = feed.subscribe('a', () => rung.push('a1'));
    feed.subscribe('a', () => rung.push('a2'));
    feed.subscribe('b', () => rung.push('b'));
    feed.subscribeAll((goalIds) => rung.push(`all:${goalIds.join()}`));
    feed.ring(['a']);
    leaveA();
    leaveA();
    feed.ring(['a', 'c']);
    expect(rung).toEqual(['a1', 'a2', 'all:a', 'a2', 'all:a,c']);
  });

  it('hands what commands print to those who follow their goal', () => {
    const feed = createLiveFeed();
    const heard: string[] = [];
    const leave = feed.subscribeOutput('a', ({ text }) => heard.push(text));
    const piece = { goalId: 'a', turn: 1, callId: 't1.s1.0', text: 'one' };
    feed.print(piece);
    feed.print({ ...piece, goalId: 'b' });
    leave();
    feed.print({ ...piece, text: 'two' });
    expect(heard).toEqual(['one']);
  });

  it('rings everyone when notifications may have been missed', () => {
    const feed = createLiveFeed();
    const rung: string[] = [];
    for (const goalId of ['a', 'b']) feed.subscribe(goalId, () => rung.push(goalId));
    feed.subscribeAll(() => rung.push('all'));
    feed.ringAll();
    expect(rung).toEqual(['a', 'b', 'all']);
  });
});
