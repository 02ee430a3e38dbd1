import {
  assistantMessages,
  type ChatRequest,
  reply,
  type Script,
  type ScriptedReply,
} from './script.ts';

/** The step in whose model call the demo kills the worker. */
export const KILL_AT = 6;

const TODOS = [
  { content: 'Find out what fails', activeForm: 'Finding out what fails' },
  { content: 'Fix the code', activeForm: 'Fixing the code' },
  { content: 'Run the whole test suite', activeForm: 'Running the whole test suite' },
];

/** What a hasty model does: looks, claims at once, is refused, and then does the work. */
const REPLIES: readonly ScriptedReply[] = [
  reply.call(
    'todo_write',
    {
      todos: TODOS.map((todo, index) => ({
        ...todo,
        status: index === 0 ? 'in_progress' : 'pending',
      })),
    },
    'I will look at the failures first.',
  ),
  reply.calls([
    { tool: 'run_command', input: { command: 'npm test', expectFailure: true } },
    { tool: 'read_file', input: { path: 'src/money.js' } },
    { tool: 'read_file', input: { path: 'src/invoice.js' } },
  ]),
  reply.call('attempt_completion', { result: 'All tests pass now.' }, 'That was easy.'),
  reply.call('complete_step', {
    step: '1',
    result: 'sum() has no start value, format() groups once, tax ignores the discount.',
    evidence: [
      { kind: 'files', summary: 'read both modules', paths: ['src/money.js', 'src/invoice.js'] },
    ],
  }),
  reply.call('edit_file', {
    path: 'src/money.js',
    edits: [
      {
        oldText: '(total, amount) => total + amount)',
        newText: '(total, amount) => total + amount, 0)',
      },
      {
        oldText: "whole.replace(/(\\d)(?=(\\d{3})$)/g, '$1,')",
        newText: "whole.replace(/\\B(?=(\\d{3})+$)/g, ',')",
      },
    ],
  }),
  reply.call('edit_file', {
    path: 'src/invoice.js',
    edits: [
      {
        oldText: 'return Math.floor(discounted + net * (taxPercent / 100));',
        newText: 'return Math.round(discounted * (1 + taxPercent / 100));',
      },
    ],
  }),
  reply.call('complete_step', {
    step: '2',
    result: 'Start value, grouping and tax are right.',
    evidence: [
      { kind: 'diff', summary: 'both modules changed', paths: ['src/money.js', 'src/invoice.js'] },
    ],
  }),
  reply.call('run_command', { command: 'npm test' }),
  reply.call('complete_step', {
    step: '3',
    result: 'The whole suite passes.',
    evidence: [{ kind: 'verification', summary: 'npm test exits 0', command: 'npm test' }],
  }),
  reply.call('attempt_completion', {
    result: 'Sums start at zero, thousands are grouped, and tax is due on the discounted amount.',
    command: 'npm test',
  }),
];

/** `onStep` hears of every request; the one at {@link KILL_AT} is held back the first time. */
export function demoModel(onStep: (step: number, request: ChatRequest) => void): Script {
  return (request) => {
    const step = assistantMessages(request);
    onStep(step, request);
    const next = REPLIES[step] ?? reply.text('There is nothing left to do.');
    const isHeldBack = step === KILL_AT && request.seenBefore === 0;
    return isHeldBack ? { ...next, delayMs: 3000 } : next;
  };
}
