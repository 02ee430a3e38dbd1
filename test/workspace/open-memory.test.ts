import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openMemory } from '../../src/workspace/helper/shared-memory.ts';

test('CMD-54 memory that no process has mapped counts for whoever holds it open, and once', async () => {
  const script = `import os, time
m = os.memfd_create("m"); os.write(m, b"x" * (8 << 20)); os.dup(m)
print("there", flush=True); time.sleep(60)`;
  const child = spawn('python3', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const pid = child.pid ?? 0;
  expect(openMemory([pid, pid])).toBe(8 * 1024);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(openMemory([pid])).toBe(0);
});
