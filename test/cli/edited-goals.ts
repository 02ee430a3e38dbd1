import { afterAll, beforeAll } from 'vitest';
import { reply, type ScriptedReply, sequence } from '../../demo/script.ts';
import type { Goal } from '../../schema/goal.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openScriptedGoals, type ScriptedGoals, write } from '../support/scripted-goals.ts';
import { startEditor, type TestEditor } from './acp-editor.ts';

export const SAID =
  'I look first at what is there, and then, after all of that, I write the answer.';
const works: ScriptedReply = {
  ...reply.call('run_command', { command: 'echo made && sleep 0.1' }, SAID),
  pieceDelayMs: 150,
};
const list = (...contents: string[]) =>
  reply.call('todo_write', { todos: contents.map((content) => ({ content, status: 'pending' })) });
export const CRITERION = ['--criterion', 'test "$(cat answer.txt)" = 42', '--change', 'answer.txt'];

/** For all tests of a file: a service, and editors that start `goalkeeper acp` as their agent. */
export function editedGoals() {
  let goals: ScriptedGoals;
  let environment: Readonly<Record<string, string>>;
  const editors: TestEditor[] = [];
  /** Holds the model's answers of `holds` until it is opened. */
  let gate: { readonly opened: Promise<void>; readonly open: () => void };
  const close = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gate = { opened, open };
  };

  beforeAll(async () => {
    close();
    goals = await openScriptedGoals({
      works: sequence([list('Write the answer', 'Say so'), works, write, list(), claim]),
      next: sequence([claim]),
      claims: sequence([write, claim, reply.text('So be it.'), claim]),
      asks: sequence([
        reply.call('ask_user', { question: 'Which colour?', options: ['red', 'blue'] }),
        write,
        claim,
      ]),
      holds: async (request) => {
        await gate.opened;
        return sequence([write, claim])(request);
      },
    });
    environment = { GOALKEEPER_URL: goals.world.url, GOALKEEPER_TOKEN: TOKENS.operator };
  });
  afterAll(async () => {
    gate.open();
    await Promise.all(editors.map((editor) => editor.kill()));
    await goals.world.close();
  });

  const edit = async (args: readonly string[] = CRITERION, more: object = {}) => {
    const editor = await startEditor({ ...environment, ...more }, args);
    editors.push(editor);
    return editor;
  };
  const goalOf = (sessionId: string) =>
    goals.world.client.get<Goal>(`/v1/threads/${sessionId}/goal`);
  const statuses = (editor: TestEditor) => {
    const states = new Map<string, unknown>();
    for (const { toolCallId, status } of editor.of('tool_call')) states.set(toolCallId, status);
    for (const { toolCallId, status } of editor.of('tool_call_update'))
      states.set(toolCallId, status);
    return [...new Set(states.values())];
  };
  return {
    get goals() {
      return goals;
    },
    /** Lets the model's answers of `holds` go. */
    open: () => gate.open(),
    ...{ close, edit, goalOf, statuses },
  };
}
