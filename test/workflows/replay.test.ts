import { Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { workflowBundle } from '../../src/temporal/workflow-bundle.ts';
import { type RecordedRun, readRuns, scenarioNames, textsOf } from '../support/history-file.ts';
import { scenarios } from '../support/history-scenarios.ts';
import { installRuntime } from '../support/runtime.ts';

installRuntime();

/** What replaying found wrong, by workflow id. */
async function replay(
  runs: readonly RecordedRun[],
): Promise<{ replayed: number; wrong: string[] }> {
  const wrong: string[] = [];
  let replayed = 0;
  const options = { workflowBundle: await workflowBundle() };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, runs as never)) {
    replayed += 1;
    if (error !== undefined) wrong.push(`${workflowId}: ${error.message}`);
  }
  return { replayed, wrong };
}

test('every scenario has its recorded histories', () => {
  expect(scenarioNames()).toEqual(Object.keys(scenarios).sort());
});

test.each(scenarioNames())('%s replays with the present workflow code', async (name) => {
  const runs = readRuns(name);
  expect(await replay(runs)).toEqual({ replayed: runs.length, wrong: [] });
});

test('no text in a recorded history is above 8 KB', () => {
  const longest = scenarioNames().map((name) => {
    const sizes = textsOf(readRuns(name)).map((text) => Buffer.byteLength(text));
    return { name, bytes: Math.max(...sizes) };
  });
  expect(longest.filter(({ bytes }) => bytes > 8192)).toEqual([]);
});

test('the recorded chain of short runs has several of them', () => {
  expect(readRuns('continue-as-new').length).toBeGreaterThan(2);
});

test('a history in which another activity was asked for is found', async () => {
  const [run] = readRuns('verified-run');
  const text = JSON.stringify(run).replaceAll('"recordTurn"', '"settleTurn"');
  const { replayed, wrong } = await replay([JSON.parse(text)]);
  expect(replayed).toBe(1);
  expect(wrong.join()).toContain('nondeterminism');
});

test.each(scenarioNames())('%s bears no trace of the machine that recorded it', (name) => {
  const texts = textsOf(readRuns(name));
  expect(texts.length).toBeGreaterThan(40);
  const traces = /(^|[^\w])\/(tmp|home|root|work|usr|var|Users)\/|file:\/\/|node_modules|\.ts:\d+/;
  expect(texts.filter((text) => traces.test(text))).toEqual([]);
  const hosts = texts.flatMap(
    (text) => text.match(/:host:[^"\s]+|goalkeeper:[0-9a-f]{16}|\d+@[^"\s]+/g) ?? [],
  );
  expect(hosts.filter((host) => !/:(recorder|elsewhere)$/.test(host))).toEqual([]);
});
