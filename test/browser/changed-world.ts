import { reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { png } from '../support/images.ts';

const run = (command: string) => reply.call('run_command', { command });
const edit = (path: string, ...edits: readonly { oldText: string; newText: string }[]) =>
  reply.call('edit_file', { path, edits });

const ORDERS = `import { problem } from '../express/problem.js';
import { pool } from '../db.js';

/** Takes orders. */
export async function orders(app) {
  app.post('/orders', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (await seen(key)) return reply.code(200).send(await replay(key));
    const order = await pool.many(INSERT, request.body.items.map(toRow));
    reply.status(201).json(order);
  });

${Array.from({ length: 20 }, (_, at) => `  const row${at} = ${at};`).join('\n')}

  app.get('/orders/:id', async (request) => {
    const order = await pool.one(BY_ID, [request.params.id]);
    if (!order) throw problem(404, 'order_not_found');
    return order;
  });
}
`;

export const changedFiles = {
  'package.json': '{ "scripts": { "test": "node --test" }, "dependencies": {} }\n',
  'package-lock.json': '{}\n',
  'src/fastify/orders.js': ORDERS,
  'src/express/old.js': `${Array.from({ length: 40 }, (_, at) => `exports.a${at} = ${at};`).join('\n')}\n`,
  'test/orders.test.js': "import test from 'node:test';\ntest('adds', () => {});\n",
};

/** One turn each: an edit behind a good run, a second file, and all that a command can leave. */
export const changedScript = sequence([
  run('node --test'),
  edit('src/fastify/orders.js', {
    oldText: "import { problem } from '../express/problem.js';",
    newText:
      "import { problem } from './errors.js';\nimport { once } from '../lib/idempotency.js';",
  }),
  reply.text('The imports are done.'),
  edit(
    'src/fastify/orders.js',
    {
      oldText: 'return reply.code(200).send(await replay(key));',
      newText: 'return reply.code(409).send(await once.replay(key));',
    },
    { oldText: 'reply.status(201).json(order);', newText: 'return reply.code(201).send(order);' },
    {
      oldText: '    if (!order) throw',
      newText:
        '    // A repeated key answers with the first response.\n    if (order == null) throw',
    },
  ),
  reply.call('write_file', {
    path: 'src/fastify/marks.js',
    content: 'const left = "\u202Egnp.exe";\r\n',
  }),
  reply.text('The routes are done.'),
  run(
    [
      `echo ${png(24, 12).toString('base64')} | base64 -d > flow.png`,
      'rm src/express/old.js',
      'seq 1 700 > src/numbers.js',
      'printf \'{ "a": 1 }\\n\' > package-lock.json',
      "printf '// wider\\n' >> test/orders.test.js",
    ].join(' && '),
  ),
  reply.call('ask_user', { question: 'Is it what you meant?' }),
]);

/** Far more than a page holds. */
const many = sequence([
  run('mkdir -p src/many && for at in $(seq 1 5000); do echo $at > src/many/file$at.js; done'),
  reply.call('ask_user', { question: 'Is it enough?' }),
]);

/** Names that would run, break or turn something if any view took them for more than names. */
export const ODD_NAMES = [
  'src/<img src=x onerror="window.hacked=1">.js',
  'src/two\nlines.js',
  'src/invoice\u202Egnp.js',
];
const odd = sequence([
  ...ODD_NAMES.map((path) => reply.call('write_file', { path, content: 'export {};\n' })),
  reply.call('ask_user', { question: 'Are they right?' }),
]);

export interface ChangedWorld extends GoalWorld {
  /** Files of odd names. */
  odd(): Promise<Goal>;
  port(): Promise<Goal>;
  many(): Promise<Goal>;
}

/** Goals that wrote, and wait for a person. */
export async function openChangedWorld(): Promise<ChangedWorld> {
  const script: Script = (request) => {
    const asked = JSON.stringify(request.messages);
    if (asked.includes('Write many')) return many(request);
    return (asked.includes('Write odd') ? odd : changedScript)(request);
  };
  const world = await openGoalWorld({ script });
  const open = async (objective: string): Promise<Goal> => {
    const path = await world.workspace(changedFiles);
    const { goalId } = await world.start({
      objective,
      workspace: { path },
      criteria: [
        { kind: 'command', command: 'node --test' },
        { kind: 'file', path: 'answer.txt', exists: true },
      ],
      scope: { change: ['src/**'] },
    });
    return world.until(goalId, ({ pause }) => pause?.questionId !== undefined);
  };
  return {
    ...world,
    odd: () => open('Write odd files'),
    port: () => open('Port the orders'),
    many: () => open('Write many files'),
  };
}
