import { describe, expect, test } from 'vitest';
import type { Policy, PolicyInput } from '../../schema/policy.ts';
import { defaultContinuation, defaultPolicy, resolvePolicy } from '../../src/goal/defaults.ts';

const waiting = {
  approvalTimeoutSeconds: 60,
  questionTimeoutSeconds: 90,
  questionDefault: 'Go on.',
};

describe('what a caller names wins over the defaults', () => {
  test.each<[PolicyInput | undefined, object]>([
    [undefined, {}],
    [{}, {}],
    [{ completion: 'supported' }, { completion: 'supported' }],
    [{ onUnknown: 'ask' }, { onUnknown: 'ask' }],
    [waiting, waiting],
    [{ sandbox: { network: 'host' } }, { sandbox: { network: 'host' } }],
    [
      { continuation: { toolFreeTurns: 5 } },
      { continuation: { ...defaultContinuation, toolFreeTurns: 5 } },
    ],
  ])('%o', (input, change) => {
    expect(resolvePolicy(input)).toStrictEqual({ ...defaultPolicy, ...change });
  });

  test('and over what applied before, field by field', () => {
    const current: Policy = {
      ...defaultPolicy,
      ...waiting,
      sandbox: { network: 'host' },
      onUnknown: 'ask',
    };
    expect(resolvePolicy(undefined, current)).toStrictEqual(current);
    const named: PolicyInput = { sandbox: { network: 'none' }, questionTimeoutSeconds: 5 };
    expect(resolvePolicy(named, current)).toStrictEqual({ ...current, ...named });
  });

  test('a field that is named without a value is not named', () => {
    const continuation = { toolFreeTurns: undefined, enabled: false };
    expect(resolvePolicy({ continuation }).continuation).toStrictEqual({
      ...defaultContinuation,
      enabled: false,
    });
  });
});
