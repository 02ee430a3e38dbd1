import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { assistantMessages, objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';
import { createClient } from '../../src/cli/client.ts';
import { workflowIdOf } from '../../src/temporal/names.ts';
import { waitUntil } from '../workflows/helpers.ts';
import { TOKENS } from './goal-world.ts';
import { claim, type ScriptedGoals, write } from './scripted-goals.ts';

/** What a scenario drives its goals with; all of them follow its script. */
export interface Stage extends Omit<ScriptedGoals, 'start'> {
  start(goal?: Partial<StartGoal>): Promise<string>;
  /** Continues as new after so few events; before a worker is there. */
  restart(goalId: string, maxEvents: number): Promise<void>;
}

export interface Scenario {
  /** What happens before a worker is there. */
  readonly before?: (stage: Stage) => Promise<string>;
  /** @returns the goals whose histories are kept */
  readonly drive: (stage: Stage, prepared: string) => Promise<readonly string[]>;
  readonly script: Script;
}

const works = sequence([write, claim]);
const ask = reply.call('ask_user', { question: 'Shall I go on?' });

const remove = reply.call('run_command', { command: 'rm -rf old' });

/** The one that is open and isn't `before`, as soon as there is one. */
async function openApproval(
  { client }: Stage['world'],
  goalId: string,
  before: string | null,
): Promise<string> {
  return waitUntil(async () => {
    const path = `/v1/approvals?goalId=${goalId}&state=open`;
    const { items } = await client.get<{ items: { approvalId: string }[] }>(path);
    return items.find(({ approvalId }) => approvalId !== before)?.approvalId;
  });
}

/** Hangs in its first call, and works from then on. */
const hangsOnce: Script = (request) =>
  request.messages.some(({ text }) => text.includes('Let me think'))
    ? sequence([write, write, write, claim])(request)
    : { text: 'Let me think', hang: 'after_text' };

const lookUp = reply.call('delegate', {
  task: 'paused-with-a-delegate: look it up',
  mode: 'agent',
});

/** Whoever reaches Temporal's port gives the turn's result, which is refused. */
async function giveForeignResult({ temporal }: Stage['world'], goalId: string): Promise<void> {
  const { address, namespace } = temporal;
  const connection = await Connection.connect({ address });
  try {
    const raw = new Client({ connection, namespace });
    const workflowId = workflowIdOf(goalId, 1);
    const { raw: described } = await raw.workflow.getHandle(workflowId).describe();
    const [turn] = described.pendingActivities ?? [];
    await raw.activity.complete({ workflowId, activityId: turn?.activityId ?? '' }, 'mine');
  } finally {
    await connection.close();
  }
}

async function childOf(world: Stage['world'], goalId: string) {
  await world.until(goalId, ({ activity }) => activity.on === 'delegate');
  return await world.database<{ goal_id: string }[]>`
    SELECT goal_id FROM goal WHERE parent_goal_id = ${goalId}`;
}

/** Takes some seconds for its first answer. */
function slowOnce(): Script {
  let asked = 0;
  return (request) => {
    asked += 1;
    const answer = works(request);
    return asked === 1 ? { ...answer, delayMs: 5000 } : answer;
  };
}

/** Asks to be left alone for long, once. */
function busyOnce(): Script {
  let asked = 0;
  return (request) => {
    asked += 1;
    return asked === 1 ? reply.error(429, undefined, { 'retry-after': '900' }) : works(request);
  };
}

/** The same, where only its reviewer is asked. */
function reviewedLate(): Script {
  let asked = 0;
  return (request) => {
    if (request.tools.length > 0) return works(request);
    asked += 1;
    return asked === 1
      ? reply.error(429, undefined, { 'retry-after': '6' })
      : reply.text('{"verdict": "pass", "findings": []}');
  };
}

const onlyRest =
  (goal: Partial<StartGoal> = {}): Scenario['drive'] =>
  async ({ start, rest }) => {
    const goalId = await start(goal);
    await rest(goalId);
    return [goalId];
  };

export const scenarios: Readonly<Record<string, Scenario>> = {
  'continue-as-new': {
    script: sequence([claim, write, ask, claim]),
    async before({ start, restart }) {
      const goalId = await start();
      await restart(goalId, 20);
      return goalId;
    },
    async drive({ rest, amend, send, world }, goalId) {
      const { pause } = await rest(goalId);
      for (let turns = 50; turns < 60; turns += 1) await amend(goalId, { budget: { turns } });
      await send(goalId, 'answers', { questionId: pause?.questionId, text: 'Go on.' });
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'continue-as-new-while-busy': {
    script: sequence([ask, write, claim]),
    async before({ start, restart }) {
      const goalId = await start();
      await restart(goalId, 30);
      return goalId;
    },
    async drive({ rest, amend, send, world }, goalId) {
      const { pause } = await rest(goalId);
      const all = Array.from({ length: 5 }, async (_, client) => {
        for (let turns = 50; turns < 55; turns += 1) {
          await amend(goalId, { budget: { turns: turns + 10 * client } });
        }
      });
      await Promise.all(all);
      await send(goalId, 'answers', { questionId: pause?.questionId, text: 'Go on.' });
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'verified-run': {
    script: sequence([claim, reply.text('Let me see.'), write, reply.text('Written.'), claim]),
    drive: onlyRest(),
  },

  'implicit-completion': {
    script: sequence([write, reply.text('Written.'), reply.text('All of it is there.')]),
    drive: onlyRest(),
  },

  'refused-claims': { script: sequence([claim]), drive: onlyRest() },

  'no-progress': { script: sequence([reply.text('Let me see.')]), drive: onlyRest() },

  'settled-with-slices': {
    script: sequence([reply.text('Let me see.'), reply.text('I will go on.'), write, claim]),
    drive: onlyRest(),
  },

  'pause-and-resume': {
    script: hangsOnce,
    async drive({ start, asked, send, world }) {
      const goalId = await start();
      await asked(goalId);
      await send(goalId, 'pause');
      await send(goalId, 'resume');
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'refused-results': {
    script: slowOnce(),
    async drive({ start, asked, world }) {
      const goalId = await start();
      await asked(goalId);
      await giveForeignResult(world, goalId);
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'question-and-answer': {
    script: sequence([ask, write, claim]),
    async drive({ start, rest, send, world }) {
      const goalId = await start();
      const { pause } = await rest(goalId);
      await send(goalId, 'answers', { questionId: pause?.questionId, text: 'Go on.' });
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'message-and-clear': {
    script: sequence([reply.text('I see.')]),
    async drive({ start, rest, send, world }) {
      const goalId = await start();
      await rest(goalId);
      await send(goalId, 'messages', { text: 'What do you see?' });
      await world.until(goalId, ({ pause }) => pause?.reason === 'message');
      await send(goalId, 'clear');
      return [goalId];
    },
  },

  'claim-for-a-person': {
    script: sequence([claim, claim]),
    async drive({ start, rest, send, world }) {
      const goalId = await start({ criteria: [{ kind: 'command', command: 'test -d .' }] });
      const first = (await rest(goalId)).pause?.approvalId;
      await send(goalId, `approvals/${first}`, { decision: 'deny', note: 'Look again.' });
      const again = await world.until(goalId, ({ pause }) => {
        return pause?.approvalId !== undefined && pause.approvalId !== first;
      });
      await send(goalId, `approvals/${again.pause?.approvalId}`, { decision: 'approve' });
      return [goalId];
    },
  },

  'limit-and-wrap-up': {
    script: (request) => reply.call('grep_search', { pattern: `x${assistantMessages(request)}` }),
    drive: onlyRest({ budget: { tokens: 12_000 } }),
  },

  'limit-lowered-and-raised': {
    script: hangsOnce,
    async drive({ start, asked, amend, world }) {
      const goalId = await start();
      await asked(goalId);
      await amend(goalId, { budget: { turns: 1 } });
      await world.until(goalId, ({ activity }) => activity.state === 'idle');
      await amend(goalId, { budget: { turns: 50 } });
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'completed-by-a-person': {
    script: hangsOnce,
    async drive({ start, asked, send }) {
      const goalId = await start();
      await asked(goalId);
      await send(goalId, 'complete', { result: 'Good enough.' });
      return [goalId];
    },
  },

  replaced: {
    script: hangsOnce,
    async drive({ start, asked, world }) {
      const threadId = 'a-thread';
      const first = await start({ threadId });
      await asked(first);
      const second = await start({ threadId, expectedGoalId: first, replace: true });
      await world.until(second, ({ usage }) => usage.turns > 0);
      return [first];
    },
  },

  'waiting-for-provider': {
    script: (request) =>
      request.seenBefore < 3 ? reply.error(429, undefined, { 'retry-after': '3' }) : works(request),
    drive: onlyRest(),
  },

  'resumed-wait-for-provider': {
    script: busyOnce(),
    async drive({ start, send, world }) {
      const goalId = await start();
      await world.until(goalId, ({ activity }) => activity.on === 'provider');
      await send(goalId, 'resume');
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'waiting-for-reviewer': {
    script: reviewedLate(),
    drive: onlyRest({
      criteria: [
        { kind: 'command', command: 'test -f answer.txt' },
        { kind: 'review', rubric: 'It has to be 42.' },
      ],
    }),
  },

  'fallback-model': {
    script: (request) => (request.model === 'scripted' ? reply.error(401) : works(request)),
    drive: onlyRest({ fallbackModel: 'compatible/second' }),
  },

  'deadline-in-a-wait': {
    script: () => reply.error(429, undefined, { 'retry-after': '900' }),
    async drive({ start, rest }) {
      const deadline = new Date(Date.now() + 6000).toISOString();
      const goalId = await start({ budget: { deadline } });
      await rest(goalId);
      return [goalId];
    },
  },

  'woken-by-timer': {
    script: sequence([
      reply.call('continue_work', { delaySeconds: 1, reason: 'CI is running' }),
      reply.call('wait_for', { until: '2026-01-01T00:00:00Z' }),
      write,
      claim,
    ]),
    drive: onlyRest({ policy: { continuation: { delayMinSeconds: 1 } } }),
  },

  'woken-by-condition': {
    script: sequence([
      reply.call('wait_for', { file: 'answer.txt' }),
      reply.call('wait_for', { command: 'false', timeoutSeconds: 2 }),
      reply.call('wait_for', { command: 'sleep 60' }),
      claim,
    ]),
    async drive({ start, world, send, rest }) {
      const path = await world.workspace({});
      const continuation = { pollMinSeconds: 1, pollMaxSeconds: 1 };
      const goalId = await start({ workspace: { path }, policy: { continuation } });
      await world.until(goalId, ({ activity }) => activity.on === 'condition');
      await writeFile(join(path, 'answer.txt'), '42\n');
      await world.until(goalId, ({ chain }) => chain?.length === 2);
      await world.until(goalId, ({ activity }) => activity.on === 'condition');
      await send(goalId, 'messages', { text: 'Never mind.', delivery: 'steer' });
      await rest(goalId);
      return [goalId];
    },
  },

  'calls-that-ask': {
    script: sequence([remove, remove, remove, ask, write, claim]),
    async drive({ start, rest, send, world }) {
      const goalId = await start();
      const decide = async (before: string | null, decision: string) => {
        const approvalId = await openApproval(world, goalId, before);
        await send(goalId, `approvals/${approvalId}`, { decision });
        return approvalId;
      };
      const first = await decide(null, 'approve');
      const second = await decide(first, 'deny');
      await decide(second, 'approve');
      await send(goalId, 'pause');
      await send(goalId, 'resume');
      const { pause } = await rest(goalId);
      await send(goalId, 'answers', { questionId: pause?.questionId, text: 'Go on.' });
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'nobody-answers': {
    script: sequence([remove, ask, write, claim]),
    async drive({ start, world }) {
      const patience = { approvalTimeoutSeconds: 1, questionTimeoutSeconds: 1 };
      const goalId = await start({ policy: { ...patience, questionDefault: 'Go on.' } });
      await world.until(goalId, ({ status }) => status === 'complete');
      return [goalId];
    },
  },

  'spoken-to-in-a-look': {
    script: sequence([
      reply.call('wait_for', { command: 'until [ -f go ]; do sleep 0.1; done' }),
      write,
      claim,
    ]),
    async drive({ start, world, rest }) {
      const path = await world.workspace({});
      const goalId = await start({ workspace: { path } });
      await world.until(goalId, ({ activity }) => activity.on === 'condition');
      const agent = createClient({ url: world.url, token: TOKENS.agent });
      await agent.send('POST', `/v1/goals/${goalId}/messages`, { text: 'CI is slow.' });
      await writeFile(join(path, 'go'), '');
      await rest(goalId);
      return [goalId];
    },
  },

  'waiting-for-workspace': {
    script: sequence([reply.call('run_command', { command: 'sleep 2; touch answer.txt' }), claim]),
    async drive({ start, asked, rest, world }) {
      const workspace = { path: await world.workspace({}) };
      const first = await start({ workspace });
      await asked(first);
      const second = await start({ workspace });
      await rest(first);
      await rest(second);
      return [first, second];
    },
  },

  'paused-with-a-delegate': {
    script: (request) =>
      objectiveOf(request).includes('look it up')
        ? hangsOnce(request)
        : sequence([lookUp, reply.text('I wait.'), write, claim])(request),
    async drive({ start, rest, asked, send, world }) {
      const goalId = await start();
      const [row] = await childOf(world, goalId);
      const child = row?.goal_id ?? '';
      await asked(child);
      await send(goalId, 'pause');
      await world.until(child, ({ status }) => status === 'paused');
      await send(goalId, 'resume');
      await rest(goalId);
      return [goalId, child];
    },
  },

  'waiting-for-worker': {
    script: works,
    async before({ start, world }) {
      const goalId = await start();
      await world.database`
        UPDATE workspace SET host = 'elsewhere'
        WHERE name = (SELECT workspace_name FROM goal WHERE goal_id = ${goalId})`;
      return goalId;
    },
    async drive({ world, send }, goalId) {
      await world.until(goalId, ({ activity }) => activity.on === 'worker');
      await send(goalId, 'pause');
      return [goalId];
    },
  },
};
