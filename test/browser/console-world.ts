import { objectiveOf, reply, type Script, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { type GoalWorld, openGoalWorld } from '../support/goal-world.ts';
import { behindNews, delegate, newsIn } from '../workflows/delegate-world.ts';

/** Text that would run, load or restyle something if any view took it for markup. */
export const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

const claim = reply.call('attempt_completion', { result: 'The invoice adds up; the tests pass.' });
const todo = (statuses: readonly string[]) =>
  reply.call('todo_write', {
    todos: statuses.map((status, index) => ({
      id: `T${index + 1}`,
      content: ['Read the module', 'Write the answer', `Tell ${HOSTILE}`][index] ?? `Step ${index}`,
      status,
    })),
  });

const write = reply.call('write_file', { path: 'answer.txt', content: 'x\n' });

/** Prints what its own words don't hold. */
export const COUNTING = "seq 40 45 | tr '\\n' ' '";

/** Calls that are told apart by tool, path, command, result and output, and two delegates. */
const handOver = reply.calls([
  { tool: 'run_command', input: { command: COUNTING } },
  { tool: 'read_file', input: { path: 'src/index.js' } },
  { tool: 'run_command', input: { command: 'test -f nowhere' } },
  ...['Note the first place', 'Note the second place'].flatMap(
    (task) => delegate(task).calls ?? [],
  ),
]);

export const consoleScripts: Record<string, Script> = {
  Hand: (request) =>
    newsIn(request).length < 2
      ? sequence([handOver, reply.text('Nothing else to do until then.')])(request)
      : sequence([write, claim])(behindNews(request, 2)),
  Note: sequence([reply.call('read_file', { path: 'package.json' }), reply.text('Found it.')]),
  Watch: sequence([
    todo(['in_progress', 'pending', 'pending']),
    reply.call('run_command', { command: `echo '${HOSTILE}'` }, `I look around. ${HOSTILE}`),
    reply.call('complete_step', {
      step: 'T1',
      result: 'Read.',
      evidence: [{ kind: 'verification', summary: 'ran', command: `echo '${HOSTILE}'` }],
    }),
    reply.call('run_command', { command: 'npm test' }),
    claim,
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }, 'I write the answer.'),
    { ...reply.text('I keep looking at it.'), delayMs: 600_000 },
  ]),
  Ask: sequence([
    reply.call('ask_user', { question: 'Who owns “queue lag”?', options: ['Core', 'Platform'] }),
    write,
    reply.call('attempt_completion', {
      result: 'Platform owns it.',
      command: 'test -f answer.txt',
    }),
  ]),
  Remove: sequence([
    reply.call('run_command', { command: 'rm -rf src' }, 'The old folder is in the way.'),
    write,
    claim,
  ]),
  Finish: sequence([{ ...write, text: 'I write the answer down.' }, claim]),
  Journey: sequence([
    reply.call('read_file', { path: 'package.json' }, 'First I read what is there.'),
    reply.call('ask_user', { question: 'Who owns “queue lag”?', options: ['Core', 'Platform'] }),
    reply.call('run_command', { command: 'rm -rf src' }, 'The old folder is in the way.'),
    reply.call('write_file', { path: 'src/answer.js', content: 'export const x = 42;\n' }),
    claim,
  ]),
  Sleep: sequence([
    reply.call('continue_work', { delaySeconds: 290, reason: 'the fixtures build' }),
  ]),
  Slow: sequence([
    reply.call('read_file', { path: 'package.json' }, 'First I read what is there.'),
    { ...reply.text('Still thinking.'), delayMs: 600_000 },
  ]),
};

const answerExists = { kind: 'file', path: 'answer.txt', exists: true } as const;

export interface ConsoleWorld extends GoalWorld {
  /** A goal of the script that its objective begins with, in a workspace of its own. */
  open(objective: string, more?: object): Promise<Goal>;
}

export async function openConsoleWorld(
  environment: Readonly<Record<string, string>> = {},
): Promise<ConsoleWorld> {
  const script: Script = (request) =>
    (consoleScripts[objectiveOf(request).split(' ')[0] ?? ''] ?? sequence([reply.text('?')]))(
      request,
    );
  const agents = JSON.stringify({ quiet: { command: 'goalkeeper-no-such-agent' } });
  const world = await openGoalWorld({
    script,
    environment: { GOALKEEPER_AGENTS: agents, ...environment },
  });
  return {
    ...world,
    async open(objective, more = {}) {
      const path = await world.workspace({
        'package.json': '{"scripts":{"test":"exit 1"}}\n',
        'src/index.js': 'export {};\n',
      });
      return world.start({ objective, workspace: { path }, criteria: [answerExists], ...more });
    },
  };
}
