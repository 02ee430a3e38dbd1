import { expect, test } from 'vitest';
import type { Estimate } from '../../schema/estimate.ts';
import type { Network } from '../../schema/network.ts';
import { startOf } from '../../src/cli/commands/run.ts';
import { estimateText } from '../../src/cli/estimate-text.ts';
import { flagsOf } from '../../src/cli/start-input.ts';

const estimate = {
  workspace: { name: 'shop', isKnown: true },
  model: 'openai/a',
  fallbackModel: null,
  budget: { tokens: 1, costUsd: null, turns: null, activeSeconds: null, deadline: null },
  policy: {},
  criteria: [],
  detectsCriteria: true,
  prices: null,
  firstCall: { tokens: 1, costUsd: null },
  past: { scope: 'none' },
  buys: null,
  scope: {
    scope: {
      change: ['src/**'],
      keep: [],
      setBy: 'host',
      base: 'a'.repeat(40),
      baseName: 'merge-base:main',
      why: [{ glob: 'src/**', reason: 'package.json names it' }],
    },
    files: 2,
    total: 7,
    notices: [{ code: 'left_out', level: 'verified', text: '1 file above 10 MB is left out.' }],
    setups: [
      {
        ...{ tool: 'uv', lock: 'uv.lock', command: 'uv sync --frozen' },
        ...{ state: 'kept', why: null, additions: 'allowed' },
      },
      {
        ...{ tool: 'yarn', lock: 'yarn.lock', command: null },
        ...{ state: 'unused', why: 'set nodeLinker', additions: 'asked' },
      },
    ],
  },
} as unknown as Estimate;

test('SCP-34 an estimate says what counts as the work, why, since when, and what it means', () => {
  const text = estimateText(estimate, []);
  expect(text).toContain('scope      The goal may change src/** (package.json names it)');
  expect(text).toContain('since merge-base:main, aaaaaaaaaaaa');
  expect(text).toContain('2 of 7 files now');
  expect(text).toContain('notice     1 file above 10 MB is left out.');
});

test('SCP-34 the command line names files, exceptions and a base, also a base alone', () => {
  const scopeOf = (options: object) => flagsOf(options).scope;
  expect(scopeOf({ change: ['a/**'], keep: ['a/b'], base: 'main' })).toEqual({
    change: ['a/**'],
    keep: ['a/b'],
    base: 'main',
  });
  expect(scopeOf({ base: 'main' })).toEqual({ base: 'main' });
  expect(scopeOf({})).toBeUndefined();
  const alone = { objective: 'x', workspace: { name: 'shop' }, flags: flagsOf({ keep: ['a'] }) };
  expect(() => startOf(alone)).toThrow('--keep');
});

test('PRX-24 the command line lists domains, and an estimate says what commands would reach', () => {
  const networkOf = (network: string) => flagsOf({ network }).policy?.sandbox?.network;
  expect(networkOf('a.example, *.b.example:8443')).toEqual({
    domains: ['a.example', '*.b.example:8443'],
  });
  expect(networkOf('host')).toBe('host');
  expect(flagsOf({}).policy).toBeUndefined();
  const told = (network: Network) =>
    estimateText({ ...estimate, policy: { ...estimate.policy, sandbox: { network } } }, []);
  expect(told({ domains: ['a.example', 'b.example'] })).toContain(
    'network    by a proxy to a.example, b.example',
  );
  expect(told('host')).toContain("network    THE MACHINE'S");
  expect(told('none')).not.toContain('network  ');
});

test('SET-20 an estimate says what would install packages, and which lock files nothing comes of', () => {
  const text = estimateText(estimate, []);
  expect(text).toContain('setup      uv.lock: uv sync --frozen (it ran before for the same inputs');
  expect(text).toContain('the goal may add packages of a registry');
  expect(text).toContain('setup      yarn.lock (set nodeLinker)');
});
