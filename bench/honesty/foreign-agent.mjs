// An agent of somebody else's: it asks a model, and works by tools of its own in the goal's box.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream } from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const MODEL = process.argv[2];
const MOST_STEPS = 60;
const LONGEST_COMMAND_MS = 600_000;
/** After these the agent has nothing left to say in its turn. */
const ENDS_TURN = ['attempt_completion', 'ask_user', 'report_blocker', 'wait_for'];

const kept = join(process.env.HOME, 'conversation.json');
const conversation = () => (existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []);
let cwd;
let server;
let isStopped = false;
/** How each command of its own was meant, such as one that has to fail. */
const meant = new Map();

agent({ name: 'foreign' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
  }))
  .onRequest('session/new', ({ params }) => {
    settle(params);
    return { sessionId: 'one' };
  })
  .onRequest('session/load', ({ params }) => {
    settle(params);
    return {};
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    isStopped = false;
    const text = params.prompt.map((block) => block.text).join('');
    const tell = (update) =>
      client.notify('session/update', { sessionId: params.sessionId, update });
    await work([...conversation(), { role: 'user', content: text }], tell);
    return { stopReason: isStopped ? 'cancelled' : 'end_turn' };
  })
  .onNotification('session/cancel', () => {
    isStopped = true;
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

function settle(params) {
  ({ cwd } = params);
  [server] = params.mcpServers;
}

async function work(messages, tell) {
  const goal = new Client({ name: 'foreign', version: '1' });
  const { command, args } = server;
  await goal.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
  const { tools } = await goal.listTools();
  const goalTools = tools.map(({ name }) => name);
  const names = [...new Set([...Object.keys(own), ...goalTools])];
  try {
    for (let step = 0; step < MOST_STEPS && !isStopped; step += 1) {
      const message = await ask(messages, names);
      messages.push(message);
      if (message.content) {
        const content = { type: 'text', text: message.content };
        await tell({ sessionUpdate: 'agent_message_chunk', content });
      }
      const calls = message.tool_calls ?? [];
      for (const call of calls) {
        const content = await answer(goal, goalTools, call, tell);
        messages.push({ role: 'tool', tool_call_id: call.id, content });
      }
      writeFileSync(kept, JSON.stringify(messages));
      const isOver = calls.some((call) => ENDS_TURN.includes(call.function.name));
      if (calls.length === 0 || isOver) return;
    }
  } finally {
    await goal.close();
  }
}

async function ask(messages, names) {
  const tools = names.map((name) => ({ type: 'function', function: { name, parameters: {} } }));
  const response = await fetch(`${MODEL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages, tools }),
  });
  const { choices, error } = await response.json();
  if (choices === undefined) return { role: 'assistant', content: JSON.stringify(error) };
  return choices[0].message;
}

async function answer(goal, goalTools, { id, function: { name, arguments: given } }, tell) {
  try {
    const args = JSON.parse(given);
    if (!Object.hasOwn(own, name)) {
      if (!goalTools.includes(name)) return `there is no tool ${name}`;
      return await byGoal(goal, name, args);
    }
    const { kind, act } = own[name];
    const about = {
      toolCallId: id,
      title: args.command ?? args.path ?? name,
      kind,
      rawInput: args,
    };
    await tell({ sessionUpdate: 'tool_call', status: 'in_progress', ...about });
    const text = await act(args);
    const end = { sessionUpdate: 'tool_call_update', toolCallId: id, status: 'completed' };
    await tell({ ...end, rawOutput: { text: text.slice(0, 2000) } });
    return text;
  } catch (error) {
    return `failed: ${error.message}`;
  }
}

/** A step that is refused it signs off again, once the host has seen what it cites. */
async function byGoal(goal, name, args) {
  const use = async (tool, given) => {
    const { content, isError } = await goal.callTool({ name: tool, arguments: given }, undefined, {
      timeout: LONGEST_COMMAND_MS,
    });
    return { text: content.map(({ text }) => text).join('\n'), isError };
  };
  const first = await use(name, args);
  if (name !== 'complete_step' || !first.isError || !Array.isArray(args.evidence))
    return first.text;
  for (const { kind, command, paths } of args.evidence) {
    if (kind === 'verification')
      await use('run_command', { command, timeoutSeconds: 600, ...meant.get(command) });
    if (kind === 'files') for (const path of paths) await use('read_file', { path });
  }
  return (await use(name, args)).text;
}

/** Its own tools, which no policy of the host sees. */
const own = {
  run_command: { kind: 'execute', act: run },
  write_file: {
    kind: 'edit',
    async act({ path, content }) {
      const file = resolve(cwd, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return 'written';
    },
  },
  edit_file: {
    kind: 'edit',
    async act({ path, edits }) {
      const file = resolve(cwd, path);
      let text = readFileSync(file, 'utf8');
      for (const { oldText, newText } of edits) {
        if (!text.includes(oldText)) throw new Error(`${path} does not hold that text`);
        text = text.replace(oldText, () => newText);
      }
      writeFileSync(file, text);
      return 'edited';
    },
  },
  read_file: {
    kind: 'read',
    act: async ({ path }) => readFileSync(resolve(cwd, path), 'utf8'),
  },
};

/** What a command leaves running goes on beside the agent, as long as its box does. */
function run({ command, cwd: folder = '.', background = false, expectFailure }) {
  if (expectFailure !== undefined) meant.set(command, { expectFailure });
  return new Promise((done) => {
    const options = { cwd: resolve(cwd, folder), stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawn('bash', ['-c', command], options);
    const pieces = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (one) => pieces.push(one));
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_COMMAND_MS);
    child.on('error', ({ message }) => done(`failed: ${message}`));
    child.on('exit', (code) => {
      clearTimeout(late);
      done(`exit code ${code}\n${Buffer.concat(pieces).toString().slice(-8000)}`);
    });
    if (background) done('started');
  });
}
