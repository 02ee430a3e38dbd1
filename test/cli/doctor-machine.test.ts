import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diskHere, gitHere } from '../../src/cli/doctor/machine.ts';
import { start } from './command-line.ts';

test('TERM-75: doctor says which git is here, how much space is free, and warns of none and of little', async () => {
  expect(await gitHere()).toMatchObject({ isGood: true, detail: expect.stringMatching(/^\d+\./) });
  const home = mkdtempSync(join(tmpdir(), 'goalkeeper-doctor-'));
  // A home that was not made yet will be on the disk of its folder.
  const disk = await diskHere(join(home, 'not', 'made'));
  expect(disk.detail).toMatch(/^\d+\.\d GB free at /);
  const low = await diskHere(home, Number.MAX_VALUE);
  expect(low).toMatchObject({ check: 'disk', isGood: true, isWarning: true });
  expect(low.detail).toMatch(/free some, or set GOALKEEPER_HOME elsewhere\.$/);
  const { out } = await start(['doctor', '--json'], { GOALKEEPER_HOME: home, PATH: home }).done;
  const { findings } = JSON.parse(out) as { findings: { check: string }[] };
  expect(findings.find(({ check }) => check === 'git')).toMatchObject({
    ...{ isGood: true, isWarning: true },
    detail: expect.stringContaining('Install git.'),
  });
});

const lacking = [
  [{}, 'No model is set: goals have to name one. Set GOALKEEPER_MODEL=provider/model'],
  [{ GOALKEEPER_MODEL: 'openai/gpt-5.1' }, 'No goal can use openai/gpt-5.1: .*OPENAI_API_KEY'],
] as const;

test.each(lacking)(
  'TERM-76: up says that a model or its key is missing before anything starts: %j',
  async (environment, said) => {
    const home = mkdtempSync(join(tmpdir(), 'goalkeeper-up-'));
    // Nobody takes connections there: whatever starts says so later.
    const nowhere = 'postgres://nobody@127.0.0.1:1/none';
    const up = start(['up'], {
      ...{ GOALKEEPER_HOME: home, DATABASE_URL: nowhere, TEMPORAL_ADDRESS: '127.0.0.1:1' },
      ...(environment as Record<string, string>),
    });
    await up.untilErr('start again.');
    up.interrupt();
    const { err } = await up.done;
    expect(err.split('\n')[0]).toMatch(new RegExp(said));
  },
);

test.each(lacking)(
  'TERM-87: and where it is left running, at the terminal that asked for it: %j',
  async (environment, said) => {
    const home = mkdtempSync(join(tmpdir(), 'goalkeeper-up-'));
    // What runs in the background refuses that before anything else, and ends.
    const up = start(['up', '--detach', '--workspace', '='], {
      ...{ GOALKEEPER_HOME: home },
      ...(environment as Record<string, string>),
    });
    const { err, exitCode } = await up.done;
    expect(err.split('\n')[0]).toMatch(new RegExp(said));
    expect(exitCode).not.toBe(0);
  },
);
