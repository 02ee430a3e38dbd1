import {
  objectiveOf,
  reply,
  type Script,
  type ScriptedReply,
  sequence,
} from '../../demo/script.ts';
import type { StartGoal } from '../../schema/goal.ts';

/** What the pictures show: a few goals, each at another point of its life. */
export interface ShownGoal {
  readonly folder: string;
  readonly goal: Omit<StartGoal, 'workspace'>;
  readonly script: Script;
}

const TEST = 'node --test';
const SEARCH = 'grep -rn Math.trunc src';
const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"checkout","type":"module","scripts":{"test":"node --test"}}\n',
  'src/rounding.js': 'export const cents = (amount) => Math.trunc(amount * 100);\n',
  'src/totals.js':
    "import { cents } from './rounding.js';\n\nexport const total = (prices) =>\n  prices.reduce((sum, price) => sum + cents(price), 0);\n",
  'test/totals.test.js':
    "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { total } from '../src/totals.js';\n\ntest('half a cent counts', () => assert.equal(total([0.125, 1]), 113));\n",
};

export const workspaceFiles = files;

const todos = (contents: readonly string[]) =>
  reply.call('todo_write', {
    todos: contents.map((content, index) => ({
      id: `T${index + 1}`,
      content,
      status: index === 0 ? 'in_progress' : 'pending',
    })),
  });
const read = (path: string, text?: string) => reply.call('read_file', { path }, text);
const run = (command: string, text?: string) => reply.call('run_command', { command }, text);
const step = (id: string, result: string, command: string) =>
  reply.call('complete_step', {
    step: id,
    result,
    evidence: [{ kind: 'verification', summary: result, command }],
  });
const claim = (result: string) => reply.call('attempt_completion', { result });
const mended = 'export const cents = (amount) => Math.round(amount * 100);\n';
const mend = reply.call('write_file', { path: 'src/rounding.js', content: mended });
const forever: ScriptedReply = { ...reply.text('I look at what else rounds.'), delayMs: 3_600_000 };

const tested = { kind: 'command', command: TEST } as const;

export const shownGoals: readonly ShownGoal[] = [
  {
    folder: 'checkout',
    goal: {
      objective:
        'Round amounts half up wherever the checkout adds prices, and keep every test green',
      criteria: [
        tested,
        { kind: 'file', path: 'docs/rounding.md', exists: true },
        { kind: 'approval', question: 'May the new totals go to customers?' },
      ],
      budget: { tokens: 1_500_000, costUsd: '12.00', turns: 50, activeSeconds: 21_600 },
    },
    script: sequence([
      todos(['Find where amounts are rounded', 'Round half up', 'Say so in the docs']),
      read('src/rounding.js', 'I begin with the helper that everything seems to use.'),
      run(SEARCH),
      run(TEST, 'Before I change anything: what do the tests say?'),
      step('T1', 'One helper rounds all amounts, and it cuts off', SEARCH),
      mend,
      run(TEST),
      step('T2', 'Half a cent counts now', TEST),
      claim('Amounts are rounded half up; the tests pass.'),
      run(
        'grep -rn "Math.trunc" src || echo none is left',
        'The claim was early: the docs are missing.',
      ),
      forever,
    ]),
  },
  {
    folder: 'inventory-sync',
    goal: {
      objective: 'Write the runbook for the ten alerts of inventory-sync',
      criteria: [{ kind: 'file', path: 'RUNBOOK.md', exists: true }],
    },
    script: sequence([
      read('package.json'),
      reply.call('ask_user', {
        question: 'Who owns the alert “queue lag”?',
        options: ['Core', 'Platform'],
      }),
    ]),
  },
  {
    folder: 'checkout-api',
    goal: { objective: 'Remove the old price cache from checkout-api', criteria: [tested] },
    script: sequence([run('rm -rf src', 'The old folder is in the way.')]),
  },
  {
    folder: 'billing',
    goal: {
      objective: 'Make the totals of billing exact to the cent',
      criteria: [tested],
      budget: { tokens: 400_000, costUsd: '4.00' },
    },
    script: sequence([
      todos(['Round half up']),
      mend,
      run(TEST),
      step('T1', 'Half a cent counts now', TEST),
      claim('Totals are exact to the cent; the tests prove it.'),
    ]),
  },
  {
    folder: 'fixtures',
    goal: { objective: 'Wait for the fixtures to build, then compare them', criteria: [tested] },
    script: sequence([
      reply.call('continue_work', { delaySeconds: 290, reason: 'the fixtures build' }),
    ]),
  },
];

/** Whose turn it is, by the objective. */
export const script: Script = (request) => {
  const objective = objectiveOf(request);
  const found = shownGoals.find(({ goal }) => objective.startsWith(goal.objective));
  return (found?.script ?? sequence([reply.text('?')]))(request);
};
