import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { StepEvidence } from '../../schema/todo.ts';
import { findProof, matchEvidence as matchBy } from '../../src/proof/evidence.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import { makeReceipt, ranCommand, wroteFile } from '../goal/receipts.ts';
import { processorMs } from '../support/processor-time.ts';

const shell = { parse: await loadShellParser(), workspace: '/srv/space' };
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

  it('AGT-32 takes no word of an agent for what it ran, and names the tools that the host sees', () => {
    const own = makeReceipt(1, 'agent.execute', { origin: 'agent', exitCode: 0 });
    const reason = reasonOf('npm test', [own]);
    expect(reason).toContain('the host did not see');
    expect(reason).toContain('run_command, or read by read_file');
    expect(reasonOf('npm test', [ranCommand(1, 'npm run lint')])).not.toContain('did not see');
    expect(reasonOf('npm test', [own, ranCommand(2, 'npm test')])).toBe('matched');
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

describe('a refusal says what would do', () => {
  const kindOf = (command: string, rows: readonly LedgerRow[]) => {
    const proof = findProof({ command }, rows, shell);
    return proof.kind === 'proves' ? [proof.kind] : [proof.kind, proof.reason];
  };
  const runIt = 'run "npm test" as a command of its own with run_command';

  it.each([
    ['not_run', [], 'No command that ran'],
    ['different', [ranCommand(2, 'npm run lint')], 'No command that ran'],
    ['masked', [ranCommand(2, 'npm test || true')], 'hides'],
    ['narrowed', [ranCommand(2, 'npm test -- -t one')], '"-t one"'],
    ['tampered', [ranCommand(2, 'git stash && npm test && git stash pop')], 'git stash'],
    ['elsewhere', [ranCommand(2, 'cd ../copy && npm test')], '../copy'],
  ] as const)('%s (R8, R38)', (kind, rows, words) => {
    const [found, reason] = kindOf('npm test', rows);
    expect([found, reason]).toEqual([kind, expect.stringContaining(runIt)]);
    expect(reason).toContain(words);
  });

  it('prefers a run that proves, however many others came after it', () => {
    const rows = [ranCommand(2, 'npm test'), ranCommand(4, 'npm test || true')];
    expect(kindOf('npm test', rows)).toEqual(['proves']);
  });

  it('takes a failed run after it for the last word (R3, R6)', () => {
    const failed = makeReceipt(4, 'run_command', { command: 'npm test', exitCode: 1 }, 'failed');
    expect(kindOf('npm test', [ranCommand(2, 'npm test'), failed])[0]).toBe('failed');
  });

  it('refuses a run that tested nothing', () => {
    const rows = [ranCommand(2, 'npm test', { ranNothing: 'Jest found no tests to run' })];
    expect(kindOf('npm test', rows)).toEqual(['empty', expect.stringContaining('Jest found no')]);
  });

  it('refuses a pass that needed a variable without which the same tree fails', () => {
    const failed = makeReceipt(2, 'run_command', { command: 'npm test', exitCode: 1 }, 'failed');
    const withIt = ranCommand(4, 'DB=local npm test');
    expect(kindOf('npm test', [withIt])).toEqual(['proves']);
    expect(kindOf('npm test', [failed, withIt])).toEqual([
      'different',
      expect.stringContaining('DB=local'),
    ]);
    expect(kindOf('DB=local npm test', [failed, withIt])).toEqual(['proves']);
    expect(kindOf('npm test', [failed, wroteFile(3, 'a.js'), withIt])).toEqual(['proves']);
  });

  it('accepts a masked exit where the step declared that it expects a failure (R38)', () => {
    const rows = [ranCommand(2, 'grep -r TODO src || true', { expectFailure: true })];
    expect(kindOf('grep -r TODO src', rows)).toEqual(['proves']);
    expect(kindOf('grep -r TODO src || true', rows)).toEqual(['proves']);
  });

  it('takes the folder of the call for the citation’s cd (R7)', () => {
    expect(kindOf('cd web && npm test', [ranCommand(2, 'npm test', { cwd: 'web' })])).toEqual([
      'proves',
    ]);
    expect(kindOf('cd web && npm test', [ranCommand(2, 'npm test', { cwd: 'api' })])[0]).toBe(
      'elsewhere',
    );
  });

  it('holds a claim to its folder where one is given', () => {
    const rows = [ranCommand(2, 'npm test', { cwd: 'api' })];
    expect(findProof({ command: 'npm test', cwd: 'api' }, rows, shell).kind).toBe('proves');
    expect(findProof({ command: 'npm test', cwd: 'web' }, rows, shell).kind).toBe('elsewhere');
  });

  it('stays quick with thousands of calls', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ranCommand(at + 1, `ls -l folder-${at}`));
    const begun = processorMs();
    expect(kindOf('npm test', rows)[0]).toBe('different');
    expect(processorMs() - begun).toBeLessThan(40_000);
  });
});
