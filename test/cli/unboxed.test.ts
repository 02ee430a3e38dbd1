import { expect, test } from 'vitest';
import type { Estimate } from '../../schema/estimate.ts';
import type { Goal } from '../../schema/goal.ts';
import { estimateText } from '../../src/cli/estimate-text.ts';
import { goalText } from '../../src/cli/goal-text.ts';
import { protectionHere } from '../../src/cli/protection.ts';
import { lookOf } from '../../src/cli/screen/look.ts';
import type { Session } from '../../src/cli/session.ts';
import { paintIn, plain } from '../../src/cli/terminal.ts';
import { warnOfCommands } from '../../src/cli/warn-of-commands.ts';
import { howCommandsRun } from '../../src/sandbox/without.ts';
import { goalThat } from './told-goal.ts';

/** What people are told where commands reach more than they should. */
const paint = { ...plain, bad: (text: string) => `<red>${text}</red>` };

const shown = (network: 'none' | 'host', more: Partial<Goal> = {}) =>
  goalText(
    goalThat({
      ...{ createdAt: '2026-01-01T10:20:30.000Z', todos: { revision: 0, total: 0, done: 0 } },
      ...{ criteria: [], isolation: 'full', mode: 'agent', ...more },
      policy: { sandbox: { network } } as Goal['policy'],
    }),
    { ...lookOf(100), paint },
  );

test('BOX-36 a goal shows the machine’s network, and that it has no sandbox, in red, and nothing else', () => {
  expect(shown('host')).toMatch(/^<red>network +THE MACHINE'S.*<\/red>$/m);
  expect(shown('none')).not.toContain('<red>');
  expect(shown('none', { isolation: 'none' })).toMatch(/^<red>isolation +none<\/red>$/m);
  // A plan runs no command.
  expect(shown('none', { isolation: 'none', mode: 'plan' })).not.toContain('<red>');
  expect(paintIn(true).bad('x')).toBe('\u001b[31mx\u001b[39m');
});

test('BOX-36 so does an estimate', () => {
  const none = { tokens: null, costUsd: null, turns: null, activeSeconds: null };
  const estimate = {
    ...{ workspace: { name: 'shop', isKnown: true }, model: 'm', fallbackModel: null },
    ...{ firstCall: { tokens: 1, costUsd: null }, buys: null, criteria: [], prices: null },
    ...{ scope: { scope: null, files: 0, total: 0, notices: [], setups: [] } },
    ...{ budget: { ...none, deadline: null }, past: { scope: 'none' }, detectsCriteria: true },
    policy: { sandbox: { network: 'host' } },
  } as unknown as Estimate;
  expect(estimateText(estimate, [], paint)).toMatch(/^<red>network +THE MACHINE'S.*<\/red>$/m);
});

async function heard(items: readonly object[]): Promise<string[]> {
  const lines: string[] = [];
  const session = {
    client: { get: async () => ({ items }) },
    terminal: { err: (line: string) => void lines.push(line), paint },
  };
  await warnOfCommands(session as unknown as Session);
  return lines;
}

test('BOX-37 run says before the first command that there is no sandbox, also where one worker alone lacks it', async () => {
  const [full, none] = ['full', 'none'].map((isolation) => ({ state: 'up', isolation }));
  const told = [expect.stringMatching(/^<red>Commands run without a sandbox: .*doctor/)];
  expect(await heard([none ?? {}])).toEqual(told);
  expect(await heard([full ?? {}, none ?? {}])).toEqual(told);
  expect(await heard([full ?? {}, { state: 'lost', isolation: 'none' }])).toEqual([]);
  expect(await heard([])).toEqual([]);
});

test('BOX-37 up says that there is none, why, and the way out', () => {
  const none = {
    bwrap: null,
    isolation: 'none',
    hasOwnNetwork: false,
    why: 'bwrap is away',
  } as const;
  expect(howCommandsRun(none)).toMatch(
    /^Commands run without a sandbox, .*: bwrap is away\..*install bubblewrap/,
  );
  const open = { ...none, bwrap: '/usr/bin/bwrap', isolation: 'partial' } as const;
  expect(howCommandsRun(open)).toMatch(/^Commands share the machine's network: /);
  expect(howCommandsRun({ ...open, isolation: 'full' })).toBe(null);
});

test('BOX-37 doctor warns where it is switched off', async () => {
  const lines = await protectionHere({ GOALKEEPER_SANDBOX: 'off' });
  expect(lines).toContainEqual(expect.objectContaining({ check: 'sandbox', isOpen: true }));
  const usual = await protectionHere({ GOALKEEPER_SANDBOX: 'programs' });
  expect(usual.some(({ check }) => check === 'sandbox')).toBe(false);
});
