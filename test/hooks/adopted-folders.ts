import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Goal } from '../../schema/goal.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { TOKENS } from '../support/goal-world.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { goalkeeper, openSession } from './session.ts';

export const CRITERION = 'test "$(cat answer.txt)" = 42';

/** For all tests of a file: a service, and folders that a person adopted, each with a session. */
export function adoptedFolders() {
  let goals: ScriptedGoals;
  let environment: Readonly<Record<string, string>>;
  beforeAll(async () => {
    goals = await openScriptedGoals({});
    environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator };
  });
  afterAll(() => goals.world.close());

  const adopt = async (cwd: string, ...args: readonly string[]) =>
    await goalkeeper(['adopt', 'Write the answer', '--json', ...args], { environment, cwd });
  /** A folder with a goal, and a session that works there. */
  const adopted = async (...args: readonly string[]) => {
    const folder = await goals.world.workspace({});
    const ran = await adopt(folder, '--criterion', CRITERION, '--scope', 'answer.txt', ...args);
    if (ran.exitCode !== 0) throw new Error(ran.err);
    const goal = JSON.parse(ran.out) as Goal;
    const session = await openSession(folder, environment);
    return { folder, goal, goalId: goal.goalId, session };
  };
  const write = (folder: string, text = '42\n') => writeFileSync(join(folder, 'answer.txt'), text);
  const ledger = async (goalId: string) => {
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    return items;
  };
  return {
    get goals() {
      return goals;
    },
    get environment() {
      return environment;
    },
    ...{ adopt, adopted, write, ledger },
  };
}
