import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seccompFilter } from '../../src/sandbox/seccomp.ts';
import { describeWith } from '../support/needs.ts';
import { SANDBOX, testBox } from './support.ts';

const REACH = `import ctypes, os
def attempt(name, act):
    try:
        print(name, act())
    except OSError as error:
        print(name, error.errno)
libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
attempt("memory", lambda: open(f"/proc/{parent}/mem", "r+b", 0) and "open")
libc.process_vm_writev(parent, 0, 0, 0, 0, 0)
print("writev", ctypes.get_errno())
libc.ptrace(4, parent, 0, 0)
print("poke", ctypes.get_errno())
`;

test('a machine whose calls nobody knows has no filter', () => {
  expect(seccompFilter(false, 'mips')).toBe(null);
  expect((seccompFilter(false, 'x64')?.byteLength ?? 1) % 8).toBe(0);
  expect((seccompFilter(false, 'arm64')?.byteLength ?? 1) % 8).toBe(0);
});

describeWith(SANDBOX, 'a process in the place of proofs', () => {
  test('writes into the memory of no other', async () => {
    const box = await testBox();
    writeFileSync(join(box.workspace, 'reach.py'), REACH);
    const home = join(box.home, 'proof-home');
    const reach = { root: box.workspace, isInPlace: true, isClean: true, lent: [], home };
    const ran = await box.run('python3 reach.py; true', { reach });
    expect(ran.output).toBe('memory 30\nwritev 1\npoke 1\n');
  });
});
