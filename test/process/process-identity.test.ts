import { expect, test } from 'vitest';
import {
  identifyRunning,
  isRunning,
  nameOfProcess,
  processInName,
} from '../../src/process/process-identity.ts';

const self = identifyRunning(process.pid);
const [boot, ticks = ''] = self.startedAt.split('/');

test('a process of an earlier boot is not this one, though pid and start time are the same', () => {
  expect(boot).toMatch(/^[0-9a-f-]{36}$/);
  expect(isRunning(self)).toBe(true);
  const earlier = '00000000-0000-0000-0000-000000000000';
  expect(isRunning({ pid: process.pid, startedAt: `${earlier}/${ticks}` })).toBe(false);
});

test('a record of an earlier version, without the boot, is told by its start time', () => {
  expect(isRunning({ pid: process.pid, startedAt: ticks })).toBe(true);
  expect(isRunning({ pid: process.pid, startedAt: '1' })).toBe(false);
});

test('the name of a file says whose it is, also as earlier versions wrote it', () => {
  expect(processInName(`${nameOfProcess(self)}-rest`)).toEqual(self);
  expect(processInName('12-345-rest')).toEqual({ pid: 12, startedAt: '345' });
  expect(processInName('rest')).toBeNull();
});
