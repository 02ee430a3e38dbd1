import { describe, expect, it } from 'vitest';
import type { CommandCriterion } from '../../schema/criteria.ts';
import type { Outcome, Receipt } from '../../schema/ledger.ts';
import { labelOfRepeat, newestFailure, wasUnsteady } from '../../src/proof/flaky.ts';
import { makeReceipt } from '../goal/receipts.ts';

const spec: CommandCriterion = { kind: 'command', command: 'sh check.sh' };
const criterion = { criterionId: 'c1', spec };

const ran = (seq: number, outcome: Outcome, more: Receipt = {}, callId = `gate.t1.1.1.${seq}`) => ({
  ...makeReceipt(
    seq,
    'check.gate',
    { command: spec.command, cwd: '.', origin: 'gate', criterionId: 'c1', exitCode: 1, ...more },
    outcome,
  ),
  callId,
});
const byModel = (exitCode: number, more: Receipt = {}) =>
  makeReceipt(5, 'run_command', { command: 'sh check.sh', cwd: '.', exitCode, ...more });

describe('a failure that makes a later pass suspicious', () => {
  it('R43 is the newest failed run of the host, at the gate or at the baseline', () => {
    const rows = [ran(1, 'failed', { origin: 'baseline' }), ran(2, 'failed'), ran(3, 'succeeded')];
    expect(newestFailure(criterion, rows)?.seq).toBe(2);
    expect(newestFailure(criterion, rows.slice(0, 1))?.seq).toBe(1);
  });

  it('is also a run of the same command by the model, whatever it expected of it', () => {
    expect(newestFailure(criterion, [byModel(1)])?.seq).toBe(5);
    expect(newestFailure(criterion, [byModel(1, { expectFailure: true })])?.seq).toBe(5);
    expect(newestFailure(criterion, [byModel(0)])).toBeUndefined();
    const expecting = { ...criterion, spec: { ...spec, expectExit: 1 } };
    expect(newestFailure(expecting, [byModel(1)])).toBeUndefined();
    expect(newestFailure(expecting, [byModel(0)])?.seq).toBe(5);
  });

  it.each([
    ['of another criterion', ran(1, 'failed', { criterionId: 'c2' })],
    ['of the command before it was replaced', ran(1, 'failed', { command: 'sh old.sh' })],
    ['in another folder', ran(1, 'failed', { cwd: 'web' })],
    ['that a pause ended', ran(1, 'failed', { reason: 'was ended: cancelled' })],
    ['on the files as they were', ran(1, 'failed', {}, 'lookback.t1.1.1.c1')],
    ['of the model in another folder', byModel(1, { cwd: 'web' })],
    [
      'of the model whose end was not seen',
      makeReceipt(1, 'run_command', { command: 'sh check.sh' }),
    ],
  ])('is no run %s', (_, row) => {
    expect(newestFailure(criterion, [row])).toBeUndefined();
  });

  it('is no run of the model where only a fresh checkout counts', () => {
    const clean = { ...criterion, spec: { ...spec, check: 'clean' as const } };
    expect(newestFailure(clean, [byModel(1)])).toBeUndefined();
    expect(newestFailure(clean, [ran(1, 'failed')])?.seq).toBe(1);
  });

  it('stays known once a repeated run failed', () => {
    const again = (outcome: Outcome) => [ran(1, outcome, {}, `gate.t1.1.1.c1.${labelOfRepeat(2)}`)];
    expect(wasUnsteady(criterion, again('failed'))).toBe(true);
    expect(wasUnsteady(criterion, again('succeeded'))).toBe(false);
    expect(wasUnsteady(criterion, [ran(1, 'failed')])).toBe(false);
  });
});
