import { expect, test } from 'vitest';
import { couldNotStart } from '../../src/evidence/report/verdict.ts';

const ENDED = { exitCode: 1, signal: null, ended: 'exited', durationMs: 1 } as const;
const COMMAND = { runners: new Set<never>(), isUnderstood: false, texts: [] };

const isUnable = (output: string): boolean => {
  const run = { ...ENDED, output: Buffer.from(output), isolation: 'full' as const };
  return couldNotStart({ run, report: null, isAsked: true }, COMMAND);
};

test.each([
  'Plugin a:b:2.6 or one of its dependencies could not be resolved: Cannot access central',
  '[ERROR] Failed to execute goal on project b: Could not resolve dependencies for project a:b:jar:1',
  '[ERROR] Could not create local repository at /home/x/.m2/repository -> [Help 1]',
  "Could not resolve all files for configuration ':testCompileClasspath'.",
  "Error: Cannot find package 'chai' imported from x.js",
])('a build without its dependencies checked nothing: %s', (output) => {
  expect(isUnable(`BUILD FAILURE\n${output}\n`)).toBe(true);
});

test.each([
  '[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0',
  '[ERROR] /x/A.java:[3,8] package org.b does not exist',
  '2 tests completed, 1 failed',
])('a build that fails by its subject did: %s', (output) => {
  expect(isUnable(output)).toBe(false);
});
