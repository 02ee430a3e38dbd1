import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { collectGarbage, giveMemoryBackWhenIdle } from '../../src/temporal/idle-memory.ts';
import { waitUntil } from '../workflows/helpers.ts';

const MB = 1_000_000;

/** Lives long enough to leave the young generation, then is nobody's any more. */
const WASTE = `
  let waste = [];
  for (let at = 0; at < 60; at += 1) waste.push(Array.from({ length: 20000 }, (_, x) => ({ x })));
  waste = null;`;
const OTHER_THREAD = `
  const { parentPort } = require('node:worker_threads');
  ${WASTE}
  const tell = () => parentPort.postMessage(process.memoryUsage().heapUsed);
  parentPort.on('message', tell);
  tell();`;

const waste = () => new Function(WASTE)();
const used = () => process.memoryUsage().heapUsed / MB;

test('garbage is collected in this thread and in those beside it', async () => {
  const thread = new Worker(OTHER_THREAD, { eval: true });
  const told = () => new Promise<number>((resolve) => thread.once('message', resolve));
  const threadBefore = (await told()) / MB;
  waste();
  const before = used();
  await collectGarbage();
  expect(before - used()).toBeGreaterThan(20);
  const after = told();
  thread.postMessage('now');
  expect(threadBefore - (await after) / MB).toBeGreaterThan(20);
  await thread.terminate();
});

test('a process that was busy and is idle gives back what it no longer needs', async () => {
  const idleness = giveMemoryBackWhenIdle(pino({ level: 'silent' }), {
    everyMs: 100,
    workMs: 50,
  });
  try {
    waste();
    const before = used();
    await waitUntil(() => before - used() > 20);
  } finally {
    idleness.stop();
  }
});
