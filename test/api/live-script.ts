import {
  assistantMessages,
  type ChatRequest,
  objectiveOf,
  reply,
  type Script,
  sequence,
} from '../../demo/script.ts';

/** Each goal's objective begins with the name of its script. */
const scripts: Record<string, Script> = {
  writes: sequence([
    reply.call('run_command', { command: 'seq 1 40' }),
    reply.call('write_file', { path: 'answer.txt', content: '42\n' }),
    reply.call('attempt_completion', { result: 'answer.txt holds the answer.' }),
  ]),
  asks: sequence([
    reply.call('ask_user', { question: 'Which colour?', options: ['red', 'blue'] }),
    reply.call('write_file', { path: 'answer.txt', content: 'red\n' }),
    reply.call('attempt_completion', { result: 'It is red.' }),
  ]),
  claims: sequence([
    reply.call('write_file', { path: 'x.txt', content: 'x\n' }),
    reply.call('attempt_completion', { result: 'I believe that it is done.' }),
    reply.call('attempt_completion', { result: 'Looked again: it is done.' }),
  ]),
  spends: (request) => reply.call('grep_search', { pattern: `x${assistantMessages(request)}` }),
  hangs: sequence([{ text: 'Let me think', hang: 'after_text' }]),
};

export const liveScript: Script = (request: ChatRequest) => {
  const name = objectiveOf(request).split(':')[0] ?? '';
  return (scripts[name] ?? sequence([reply.text('?')]))(request);
};

export const answerExists = { kind: 'command', command: 'test -f answer.txt' } as const;
