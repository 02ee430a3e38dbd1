import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from './command-line.ts';

let service: Awaited<ReturnType<typeof startService>>;
let goalId: string;
beforeAll(async () => {
  service = await startService();
  const run = ['run', 'Fix it', '--workspace-name', 'shop', '--detach'];
  goalId = (
    await service.goalkeeper(...run, '--requirement', 'It is fast', '--cover-all')
  ).out.trim();
});
afterAll(() => service.close());

test('DIS-2 a goal that disputes nothing has nothing to decide', async () => {
  const shown = await service.goalkeeper('dispute', goalId);
  expect(shown.out.trim()).toBe('nothing was disputed');
  const insisted = await service.goalkeeper('dispute', goalId, '--insist');
  expect(insisted.exitCode).not.toBe(0);
  expect(insisted.err).toContain('disputes nothing now');
});

test('REQ-6 requirements of a goal are shown, and unknown ones refused', async () => {
  const shown = await service.goalkeeper('requirements', goalId);
  expect(shown.exitCode).toBe(0);
  for (const [options, why] of [
    [['--text', 'R9=It is small'], 'There is no requirement R9'],
    [['--bind', 'c1'], 'names no requirement'],
    [['--remove', 'R9'], 'there is no requirement R9'],
  ] as const) {
    const refused = await service.goalkeeper('requirements', goalId, ...options);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.err).toContain(why);
  }
});
