import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { StepEvidence } from '../../schema/todo.ts';
import { findProof, matchEvidence as matchBy } from '../../src/goal/evidence.ts';
import { loadShellParser } from '../../src/shell/parse.ts';
import { makeReceipt, ranCommand, wroteFile } from './receipts.ts';

const shell = { parse: await loadShellParser(), workspace: '/work/space' };
const matchEvidence = (evidence: readonly StepEvidence[], rows: readonly LedgerRow[]) =>
  matchBy(evidence, rows, shell);
const verification = (command: string, paths?: string[]) =>
  ({ kind: 'verification', summary: 's', command, ...(paths ? { paths } : {}) }) as const;
const reasonOf = (command: string, rows: readonly LedgerRow[]) => {
  const match = matchEvidence([verification(command)], rows);
  return match.ok ? 'matched' : match.reason;
};

describe('evidence', () => {
  it('verifies commands, writes and reads by their receipts (R2, R12)', () => {
    const rows = [
      wroteFile(2, 'src/a.ts'),
      ranCommand(4, 'npm test'),
      makeReceipt(6, 'read_file', { reads: ['docs/b.md'] }),
    ];
    const evidence: StepEvidence[] = [
      verification('npm test'),
      { kind: 'diff', summary: 's', paths: ['.\\src\\a.ts'] },
      { kind: 'files', summary: 's', paths: ['./docs//b.md'] },
    ];
    expect(matchEvidence(evidence, rows)).toEqual({ ok: true, seqs: [2, 4, 6], isVerified: true });
  });

  it('refuses a failed command with its exit code (R3, R6)', () => {
    const failed = makeReceipt(3, 'run_command', { command: 'npm test', exitCode: 1 }, 'failed');
    expect(reasonOf('npm test', [failed])).toMatch(/exited 1.*non-zero/);
    expect(reasonOf('npm test', [ranCommand(1, 'npm test'), failed])).toContain('exited 1');
    const write = makeReceipt(5, 'write_file', { writes: ['a.ts'] }, 'failed');
    expect(matchEvidence([{ kind: 'diff', summary: 's', paths: ['a.ts'] }], [write]).ok).toBe(
      false,
    );
  });

  it('never takes an unknown or refused call, nor a baseline run', () => {
    const rows = (['unknown', 'refused'] as const).map((outcome) =>
      makeReceipt(1, 'run_command', { command: 'npm test' }, outcome),
    );
    for (const row of [...rows, ranCommand(1, 'npm test', { origin: 'baseline' })]) {
      expect(reasonOf('npm test', [row])).not.toBe('matched');
    }
  });

  it('refuses paths that no call touched and lists what was (R4, R8, R33)', () => {
    const rows = [wroteFile(2, 'src/a.ts'), ranCommand(3, 'npm run lint')];
    const match = matchEvidence([{ kind: 'files', summary: 's', paths: ['src/other.ts'] }], rows);
    expect(match).toMatchObject({ ok: false, reason: expect.stringContaining('src/a.ts') });
    expect(match).toMatchObject({ reason: expect.stringContaining('npm run lint') });
  });

  it('lets manual evidence pass unverified (R5)', () => {
    const match = matchEvidence([{ kind: 'manual', summary: 'looked at it' }], []);
    expect(match).toEqual({ ok: true, seqs: [], isVerified: false });
  });

  it('counts an older check until a later write in its scope (R9, R10, R39)', () => {
    const rows = [ranCommand(2, 'npm test'), wroteFile(4, 'docs/a.md')];
    expect(reasonOf('npm test', rows)).toContain('stale');
    expect(matchEvidence([verification('npm test', ['src'])], rows).ok).toBe(true);
    expect(matchEvidence([verification('npm test', ['docs'])], rows).ok).toBe(false);
    expect(reasonOf('npm test', [...rows, ranCommand(6, 'npm test')])).toBe('matched');
  });

  it('takes a command that changed files for a write, also a failed one, and no other (R13)', () => {
    const check = ranCommand(2, 'npm test');
    expect(reasonOf('npm test', [check, ranCommand(4, 'ls')])).toBe('matched');
    const codegen = makeReceipt(
      4,
      'run_command',
      { command: 'gen', exitCode: 1, writes: ['a'] },
      'failed',
    );
    expect(reasonOf('npm test', [check, codegen])).toContain('stale');
  });
});
