import type { CommandCriterion } from '../../schema/criteria.ts';
import { runCriterion } from '../../src/evidence/command-run.ts';
import type { Effects } from '../../src/workspace/helper/client.ts';
import { testEffects } from '../tools/support.ts';
import { openGround } from './gate-ground.ts';
import { project } from './runner-projects.ts';

const TESTS = `import test from 'node:test';
import assert from 'node:assert/strict';
import { sum } from './sum.js';
test('adds', () => assert.equal(sum(1, 2), 3));
test('zero', () => assert.equal(sum(0, 0), 0));
`;
const IS_WATCHED = "const isWatched = (process.env.NODE_OPTIONS ?? '') !== '';\n";
export const sum = (body: string, before = '') =>
  `${IS_WATCHED}${before}export const sum = (a, b) => ${body};\n`;
export const RIGHT = sum('a + b');

interface Options {
  readonly files?: Record<string, string>;
  readonly command?: string;
  readonly more?: Partial<CommandCriterion>;
  readonly change?: object;
  readonly wereTold?: boolean;
  readonly signal?: AbortSignal;
}

const REPORTERS = ['NODE_OPTIONS', 'PYTEST_ADDOPTS', 'GOFLAGS'];
const mannerOf = (env: object = {}) =>
  REPORTERS.some((name) => name in env) ? ('asked' as const) : ('plain' as const);

/** A project with two tests, and a gate over it that notes how its runs were made. */
export async function openNamed(
  sumJs: string,
  {
    files,
    command = 'node --test',
    more,
    change,
    wereTold = false,
    signal = new AbortController().signal,
  }: Options = {},
) {
  const folder = await project({
    'package.json': '{"type":"module"}',
    'a.test.js': TESTS,
    'sum.js': sumJs,
    ...files,
  });
  const runs: { readonly manner: 'plain' | 'asked'; readonly cwd: string }[] = [];
  const startEffects = (): Effects => {
    const { effects } = testEffects();
    return {
      writeFile: (order) => effects.writeFile(order),
      placeEntry: (order) => effects.placeEntry(order),
      close: () => effects.close(),
      runCommand: (order) => {
        if (order.command !== 'go env GOFLAGS')
          runs.push({ manner: mannerOf(order.env), cwd: order.cwd });
        return effects.runCommand(order);
      },
    };
  };
  const spec = { kind: 'command' as const, command, ...more };
  const ground = openGround(folder, [spec], { startEffects, ...change });
  const fence = { goalId: 'g-1', epoch: 1, token: 1 };
  const host = {
    ...{ ports: ground.ports, attempt: { fence, effects: startEffects() } },
    ...{ workspace: folder, workspaceName: 'w', turn: 1, origin: 'gate' as const },
  };
  let checks = 0;
  const gate = async (suspicion: string | null = null) => {
    checks += 1;
    const before = runs.length;
    const names = { wereTold: async () => wereTold };
    const own = { ...host, prefix: `gate${checks}`, signal };
    const ran = await runCriterion(own, { criterionId: 'c1', spec }, { names, suspicion });
    const { last, ...found } = ran;
    const state = last.isMet ? 'met' : 'unmet';
    return { ...found, state, runs: runs.slice(before).map(({ manner }) => manner) };
  };
  return { ...ground, folder, runs, gate };
}

export const gateOver = async (sumJs: string, options?: Options) =>
  await (await openNamed(sumJs, options)).gate();
