import { expect, onTestFinished, test, vi } from 'vitest';
import { configuredSandbox } from '../../src/app/configured-sandbox.ts';
import { commandLimits } from '../../src/sandbox/limits.ts';
import { temporaryFolder } from '../tools/support.ts';

const limits = commandLimits();

test.each([0, 1000])('BOX-5 without a sandbox no worker of root’s starts: user %i', async (uid) => {
  const home = await temporaryFolder();
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  onTestFinished(() => void vi.restoreAllMocks());
  const opened = configuredSandbox({ sandbox: { mode: 'off', limits }, home });
  if (uid === 0) await expect(opened).rejects.toThrow(/leaves commands to root.*another user/);
  else expect((await opened).protection.isolation).toBe('none');
});
