import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import type { Inbox } from '../../schema/inbox.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';

const rest = reply.call('continue_work', { delaySeconds: 290, reason: 'The fixtures build.' });
const claim = reply.call('attempt_completion', { result: 'It is done.' });
const write = reply.call('write_file', { path: 'answer.txt', content: '42\n' });

export const inboxFiles = {
  'package.json': '{ "dependencies": { "express": "4.21.2" } }\n',
  'src/orders.js': "import express from 'express';\nexport const app = express();\n",
  'test/check.sh': 'grep -qx 3 answer.txt\n',
  Makefile: 'test:\n\tsh test/check.sh\n',
};

export const inboxScripts: Record<string, Script> = {
  Port: sequence([
    reply.call(
      'edit_file',
      {
        path: 'src/orders.js',
        edits: [
          {
            oldText: 'export const app = express();',
            newText: "export const app = fastify();\nexport const by = 'fastify';",
          },
        ],
      },
      'No import of express is left but this one.',
    ),
    write,
    claim,
  ]),
  Remove: sequence([
    reply.call('run_command', { command: 'rm -rf src' }, 'The old folder is in the way.'),
    write,
    claim,
  ]),
  Turned: sequence([
    reply.call(
      'run_command',
      { command: 'rm -rf src # \u202Eerutxif eht\u2066' },
      'The old \u202Eredlof is in the way.',
    ),
    write,
    claim,
  ]),
  Ask: sequence([
    reply.call(
      'ask_user',
      {
        question: 'Who owns “queue lag”?\nIt pages two teams.',
        options: ['Payments, they run the consumer', 'Platform'],
      },
      'Nine of ten alerts have one owner; this one has two.',
    ),
    write,
    claim,
  ]),
  Dispute: sequence([
    reply.call('dispute_criterion', {
      criterionId: 'c1',
      kind: 'contradiction',
      counterExample: { command: 'cat test/check.sh', expect: { exit: 0, contains: '-qx 3' } },
      explanation: 'The objective asks for 42, the check for 3.',
    }),
    rest,
  ]),
  Spend: sequence([write, reply.text('One turn is gone.'), reply.text('It is left so.'), claim]),
  Sleep: sequence([reply.call('run_command', { command: 'echo begun; sleep 600' }), rest]),
  Lines: sequence([
    reply.call('propose_criterion', { kind: 'command', command: 'npm test\nnpm run lint' }),
    rest,
  ]),
  Propose: sequence([
    reply.call('propose_criterion', { kind: 'file', path: 'notes.md', exists: true }),
    reply.call('propose_scope', { paths: ['test/check.sh'], why: 'It opens ten connections.' }),
    rest,
  ]),
};

const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;

export const inboxTerms: Record<string, object> = {
  Port: { policy: { tools: [{ tool: 'edit_file', path: 'src/**', decision: 'ask' }] } },
  Dispute: {
    criteria: [{ kind: 'command', command: 'make test' }],
    scope: { change: ['answer.txt'] },
    policy: { proof: 'scope' },
  },
  Spend: { budget: { turns: 1 } },
  Propose: {
    criteria: [{ kind: 'command', command: 'make test' }],
    scope: { change: ['answer.txt'] },
  },
};

export type Waiting = keyof typeof waitingKinds;

/** When each of them waits for a person. */
export const waitingKinds = {
  Port: ({ activity }: Goal) => activity.on === 'approval',
  Remove: ({ activity }: Goal) => activity.on === 'approval',
  Turned: ({ activity }: Goal) => activity.on === 'approval',
  Ask: ({ pause }: Goal) => pause?.questionId !== undefined,
  Dispute: ({ pause }: Goal) => pause?.disputeId !== undefined,
  Spend: ({ status, activity }: Goal) => status === 'budget_limited' && activity.state === 'idle',
  Lines: ({ activity }: Goal) => activity.on === 'timer',
  Propose: ({ activity }: Goal) => activity.on === 'timer',
} as const;

export interface InboxWorld extends GoalWorld {
  /** A goal of that kind, once it waits. */
  wait(kind: Waiting, more?: string): Promise<Goal>;
  /** Nothing waits after it. */
  clear(): Promise<void>;
}

export async function openInboxWorld(): Promise<InboxWorld> {
  const script: Script = (request) =>
    (inboxScripts[objectiveOf(request).split(' ')[0] ?? ''] ?? sequence([reply.text('?')]))(
      request,
    );
  const world = await openGoalWorld({ script });
  return {
    ...world,
    async clear() {
      const { goals } = await world.client.get<Inbox>('/v1/inbox');
      for (const { goalId } of goals) {
        await world.client.send('POST', `/v1/goals/${goalId}/clear`, {});
      }
    },
    async wait(kind, more = 'for a person') {
      const { goalId } = await world.start({
        objective: `${kind} ${more}`,
        workspace: { path: await world.workspace(inboxFiles) },
        criteria: [answerExists],
        ...inboxTerms[kind],
      });
      return world.until(goalId, waitingKinds[kind]);
    },
  };
}
