import {
  type ChatRequest,
  reply,
  type Script,
  type ScriptedReply,
  sequence,
} from '../../demo/script.ts';
import type { StepEvidence } from '../../schema/todo.ts';

/** The words in which trajectories are written: one reply of the model each. */

export const say = (text: string): ScriptedReply => reply.text(text);

export const claim = (result = 'Everything is done and all tests pass.', more: object = {}) =>
  reply.call('attempt_completion', { result, ...more });

export const run = (command: string, more: object = {}): ScriptedReply =>
  reply.call('run_command', { command, ...more });

export const write = (path: string, content: string): ScriptedReply =>
  reply.call('write_file', { path, content });

export const remove = (path: string): ScriptedReply => run(`rm '${path}'`);

export const edit = (path: string, oldText: string, newText: string): ScriptedReply =>
  reply.call('edit_file', { path, edits: [{ oldText, newText }] });

export const read = (path: string): ScriptedReply => reply.call('read_file', { path });

/** A list whose first item is in progress; a leading dash makes a sub-step. */
export const todos = (...contents: string[]): ScriptedReply =>
  reply.call('todo_write', {
    todos: contents.map((content, index) => ({
      content: content.replace(/^- /, ''),
      status: index === 0 ? 'in_progress' : 'pending',
      level: content.startsWith('- ') ? 1 : 0,
    })),
  });

export const step = (name: string, ...evidence: StepEvidence[]): ScriptedReply =>
  reply.call('complete_step', { step: name, result: `${name} is done.`, evidence });

export const ran = (command: string): StepEvidence => ({
  kind: 'verification',
  summary: `${command} passes`,
  command,
});

export const changed = (...paths: string[]): StepEvidence => ({
  kind: 'diff',
  summary: 'changed',
  paths,
});

export const looked = (...paths: string[]): StepEvidence => ({
  kind: 'files',
  summary: 'read',
  paths,
});

export const byHand: StepEvidence = { kind: 'manual', summary: 'I looked at it and it is right.' };

/** These replies in order; after the last one the model stays there. */
export const play = (...replies: readonly ScriptedReply[]): Script => sequence(replies);

/** What a reviewer says who finds nothing. */
export const passes = say('{"verdict": "pass", "findings": []}');

/** A request without tools is one to the reviewer. */
export const reviewed =
  (work: Script, review: (request: ChatRequest) => ScriptedReply): Script =>
  (request) =>
    request.tools.length === 0 ? review(request) : work(request);
