import { describe, expect, it } from 'vitest';
import { needsAnotherRound, writtenByOthers } from '../../src/proof/concurrent-writes.ts';

const wrote = (paths: string[], created: string[] = []) => ({ paths, created });
const none = new Set<string>();

describe('what moves while a gate looks', () => {
  it('looks again when others wrote, or a run wrote what no earlier one did', () => {
    expect(needsAnotherRound({ foreign: ['a'], own: [] }, none)).toBe(true);
    expect(needsAnotherRound({ foreign: [], own: [wrote(['report.xml'])] }, none)).toBe(true);
  });

  it('does not look again for what a check always writes', () => {
    const round = { foreign: [], own: [wrote(['report.xml'])] };
    expect(needsAnotherRound(round, new Set(['report.xml']))).toBe(false);
    expect(needsAnotherRound({ foreign: [], own: [wrote([])] }, none)).toBe(false);
  });

  it('takes a run for the writer of what it wrote before, and of files that it made', () => {
    const round = { foreign: [], own: [wrote(['report.xml', 'log-2.txt'], ['log-2.txt'])] };
    expect(writtenByOthers(round, new Set(['report.xml']))).toEqual([]);
  });

  it('takes nobody at his word for a file that was there and that no run wrote before', () => {
    const round = { foreign: ['tick'], own: [wrote(['src/a.js'])] };
    expect(writtenByOthers(round, none)).toEqual(['src/a.js', 'tick']);
  });
});
