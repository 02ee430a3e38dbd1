import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../schema/ledger.ts';
import { proveByReceipt as prove } from '../../src/proof/receipt-proof.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import { makeReceipt, ranCommand, wroteFile } from '../goal/receipts.ts';

const shell = { parse: await loadShellParser(), workspace: '/srv/space' };
const proveByReceipt = (spec: Parameters<typeof prove>[0], rows: readonly LedgerRow[]) =>
  prove(spec, rows, shell);
const spec = { command: 'npm test' };

describe('a criterion that a receipt of the model shows', () => {
  it('is unmet as long as nothing ran', () => {
    expect(proveByReceipt(spec, [wroteFile(1, 'a.js')])).toMatchObject({ state: 'unmet' });
  });

  it('R11 is stale when it ran before the write and met when it ran after it', () => {
    const rows = [ranCommand(1, 'npm test'), wroteFile(2, 'src/a.js')];
    expect(proveByReceipt(spec, rows)).toMatchObject({ state: 'stale', seq: null });
    const again = [...rows, ranCommand(3, 'npm test')];
    expect(proveByReceipt(spec, again)).toMatchObject({ state: 'met', seq: 3 });
  });

  it('R39 stays met when the later write lies outside of its scope', () => {
    const rows = [ranCommand(1, 'npm test'), wroteFile(2, 'docs/a.md')];
    expect(proveByReceipt({ ...spec, scope: ['src'] }, rows).state).toBe('met');
    expect(proveByReceipt({ ...spec, scope: ['docs'] }, rows).state).toBe('stale');
  });

  it.each([
    ['docs/**', 'stale'],
    ['{src,docs}/*.md', 'stale'],
    ['src/**', 'met'],
    ['docs/{a', 'stale'],
  ])(
    'R39 a scope is a glob, too, and one that cannot be read covers everything: %s',
    (glob, state) => {
      const rows = [ranCommand(1, 'npm test'), wroteFile(2, 'docs/a.md')];
      expect(proveByReceipt({ ...spec, scope: [glob] }, rows).state).toBe(state);
    },
  );

  it('is narrowed when only a part of it ran', () => {
    const rows = [ranCommand(1, 'npm test -- -t one')];
    expect(proveByReceipt(spec, rows)).toMatchObject({ state: 'narrowed', seq: null });
  });

  it('wants the exit code that the criterion expects', () => {
    const failed = makeReceipt(1, 'run_command', { command: 'grep x a', exitCode: 1 }, 'failed');
    const grep = { command: 'grep x a' };
    expect(proveByReceipt({ ...grep, expectExit: 1 }, [failed]).state).toBe('met');
    expect(proveByReceipt({ ...grep, expectExit: 2 }, [failed]).state).toBe('unmet');
    expect(proveByReceipt(grep, [failed]).state).toBe('unmet');
  });

  it('R38 lets no expected failure of the model’s mask the exit', () => {
    const masked = ranCommand(1, 'npm test || true', { expectFailure: true });
    expect(proveByReceipt(spec, [{ ...masked, outcome: 'failed' }]).state).toBe('unmet');
  });

  it('takes no run of the host and no unknown end for one of the model', () => {
    const rows = [
      makeReceipt(1, 'check.baseline', { command: 'npm test', exitCode: 0, origin: 'baseline' }),
      makeReceipt(2, 'check.gate', { command: 'npm test', exitCode: 0, origin: 'gate' }),
      makeReceipt(3, 'run_command', { command: 'npm test' }, 'unknown'),
    ];
    expect(proveByReceipt(spec, rows).state).toBe('unmet');
  });

  it('asks for the folder in which the criterion runs', () => {
    const rows = [ranCommand(1, 'npm test')];
    expect(proveByReceipt({ ...spec, cwd: 'web' }, rows).state).toBe('unmet');
    const inWeb = [ranCommand(1, 'npm test', { cwd: 'web' })];
    expect(proveByReceipt({ ...spec, cwd: 'web' }, inWeb).state).toBe('met');
  });
});
