import { describe, expect, it } from 'vitest';
import { builtInTools } from '../../src/tools/built-in.ts';
import { builtInToolNames, toolChoices } from '../../src/ui/view/tool-choices.ts';
import { ranWithin } from '../../src/ui/view/turn-range.ts';

describe('the tools that the ledger can be narrowed to', () => {
  it('are all of the service, and its checks', () => {
    const names = builtInToolNames.filter((name) => !name.startsWith('check.'));
    expect(names.toSorted()).toEqual(builtInTools.map(({ name }) => name).toSorted());
  });

  it('are also those of other servers that were called, and the one that a link names', () => {
    const beyond = toolChoices(['mcp.b', 'read_file', 'mcp.a', 'mcp.b'], 'mcp.c').slice(
      builtInToolNames.length,
    );
    expect(beyond).toEqual(['mcp.a', 'mcp.b', 'mcp.c']);
    expect(toolChoices([], '')).toEqual(builtInToolNames);
  });
});

describe('a turn in a range of the map', () => {
  const turn = (startedAt: number, settledAt: number | null) => ({
    startedAt: new Date(startedAt).toISOString(),
    settledAt: settledAt === null ? null : new Date(settledAt).toISOString(),
  });

  it.each([
    ['before it', turn(0, 9), false],
    ['into it', turn(0, 10), true],
    ['within it', turn(12, 14), true],
    ['all around it', turn(0, 30), true],
    ['out of it', turn(20, 30), true],
    ['behind it', turn(21, 30), false],
    ['until now', turn(0, null), true],
  ])('ran %s', (_, one, expected) => {
    expect(ranWithin({ from: 10, to: 20 }, 100)(one)).toBe(expected);
  });

  it('that is open ran until now, and not longer', () => {
    expect(ranWithin({ from: 10, to: 20 }, 5)(turn(0, null))).toBe(false);
  });
});
