import { link, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Approval } from '../../schema/approval.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import type { TurnPorts } from '../../src/turn/turn-ports.ts';
import { answerExists, openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { waitUntil } from '../workflows/helpers.ts';

const program = fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));
const node = { command: process.execPath, reads: [repository] };
const agents = {
  scripted: { ...node, args: [program] },
  forgets: { ...node, args: [program, 'forgets'] },
  short: { ...node, args: [program], turnMinutes: 0.03 },
  metered: { ...node, args: [program], reportsUsage: true },
  exits: { ...node, args: [program, 'exits'] },
  other: { ...node, args: [program, 'other'] },
  locked: { ...node, args: [program, 'locked'] },
  careful: { ...node, args: [program], mode: 'careful' },
  wild: { ...node, args: [program], mode: 'wild' },
  keyed: { ...node, args: [program, 'locked'], signIn: 'by-key' },
  lost: { ...node, args: [program, 'locked'], signIn: 'by-luck' },
  gone: { command: 'no-such-agent' },
  unset: { ...node, args: [program], env: { KEY: ['$', '{NO_SUCH_VARIABLE_HERE}'].join('') } },
};
const environment = { GOALKEEPER_AGENTS: JSON.stringify(agents) };

export const asksAboutRm = {
  policy: { tools: [{ tool: 'run_command', command: 'rm', decision: 'ask' }] },
};

/** For all tests of a file: goals that scripted agents of the settings work on, and looks at them. */
export function agentGoals(wrapPorts?: (ports: TurnPorts) => TurnPorts) {
  let goals: ScriptedGoals;
  beforeAll(async () => {
    goals = await openScriptedGoals({}, { environment, ...(wrapPorts && { wrapPorts }) });
  });
  /** What agents write at home, which goes with their goals within seconds: the same files by other names. */
  let kept: string;
  let keeping = Promise.resolve();
  let isOver = false;
  const homes = () => join(goals.world.environment.GOALKEEPER_HOME ?? '', 'agents');
  beforeAll(async () => {
    kept = await mkdtemp(`${homes()}-kept-`);
    keeping = keep();
  });
  async function keep(): Promise<void> {
    for (; !isOver; await sleep(50)) {
      for (const goalId of await readdir(homes()).catch(() => []))
        for (const name of ['prompts', 'modes', 'sessions'])
          await link(join(homes(), goalId, 'home', name), join(kept, `${goalId}-${name}`)).catch(
            () => {},
          );
    }
  }
  afterAll(async () => {
    isOver = true;
    await keeping;
    await rm(kept, { recursive: true, force: true });
    await goals.world.close();
  });

  const start = (name: string, agent = 'scripted', more = {}) =>
    goals.start(name, { agent, criteria: [answerExists], ...more });
  const run = async (...asked: Parameters<typeof start>) => goals.rest(await start(...asked));
  const ledger = async (goalId: string) => {
    const page = `/v1/goals/${goalId}/ledger?limit=200`;
    const { items } = await goals.world.client.get<{ items: LedgerRow[] }>(page);
    return items.toSorted((a, b) => a.seq - b.seq);
  };
  const settled = async (goalId: string) =>
    (await ledger(goalId)).filter(({ phase }) => phase === 'settled');
  const said = async (goalId: string) =>
    (await goals.turns(goalId)).flatMap(({ turn }) => turn).length === 0
      ? []
      : (
          await goals.world.database<{ text: string }[]>`
            SELECT content->>'text' AS text FROM message
            WHERE goal_id = ${goalId} AND voice = 'model' ORDER BY seq`
        ).map(({ text }) => text);
  const inHome = (goalId: string, name: string) =>
    readFile(join(kept, `${goalId}-${name}`), 'utf8');
  const begun = async (goalId: string) => {
    const { workspace } = await goals.world.get(goalId);
    return await waitUntil(() =>
      readFile(join(workspace.path, 'begun.txt'), 'utf8').then(
        () => true,
        () => false,
      ),
    );
  };
  const asked = async (goalId: string) => {
    const [found] = await waitUntil(async () => {
      const page = `/v1/approvals?goalId=${goalId}&state=open`;
      const { items } = await goals.world.client.get<{ items: Approval[] }>(page);
      return items.length > 0 ? items : null;
    });
    return found ?? expect.unreachable();
  };
  return {
    get goals() {
      return goals;
    },
    ...{ start, run, ledger, settled, said, inHome, begun, asked },
  };
}
