// An agent that speaks the Agent Client Protocol and does what the goal's objective begins with.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [how] = process.argv.slice(2);
if (how === 'exits') {
  console.error('no licence found');
  process.exit(3);
}

const home = process.env.HOME;
const kept = join(home, 'sessions');
const known = () => (existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n') : []);
let server;
let cwd;
const stops = new Set();
let isSignedIn = false;
const modes = {
  currentModeId: 'bold',
  availableModes: [
    { id: 'bold', name: 'Decides by itself' },
    { id: 'careful', name: 'Asks' },
  ],
};

agent({ name: 'scripted' })
  .onRequest('initialize', () => ({
    protocolVersion: how === 'other' ? 99 : 1,
    agentCapabilities: { loadSession: how !== 'forgets' },
    authMethods: [{ id: 'by-key', name: 'By the key in its environment' }],
  }))
  .onRequest('session/new', ({ params }) => {
    if (how === 'locked' && !isSignedIn) throw new RequestError(-32000, 'sign in first');
    ({ cwd } = params);
    [server] = params.mcpServers;
    const sessionId = `s-${known().length + 1}`;
    appendFileSync(kept, `${sessionId}\n`);
    return { sessionId, modes };
  })
  .onRequest('session/load', async ({ params, client }) => {
    if (!known().includes(params.sessionId)) throw new Error('unknown session');
    ({ cwd } = params);
    [server] = params.mcpServers;
    await say(client, params.sessionId, 'an old word');
    return { modes };
  })
  .onRequest('authenticate', ({ params }) => {
    if (params.methodId !== 'by-key') throw new RequestError(-32602, 'no such way');
    isSignedIn = true;
    return {};
  })
  .onRequest('session/set_mode', ({ params }) => {
    appendFileSync(join(home, 'modes'), `${params.modeId}\n`);
    return {};
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId } = params;
    const text = params.prompt.map((block) => block.text).join('');
    const name = /<objective>\n(\w+):/.exec(text)?.[1] ?? 'nothing';
    const turn = existsSync(join(home, 'turns'))
      ? readFileSync(join(home, 'turns'), 'utf8').length
      : 0;
    appendFileSync(join(home, 'turns'), '.');
    appendFileSync(join(home, 'prompts'), `${text}\n=====\n`);
    const stopped = new Promise((resolve) => stops.add(resolve));
    const the = { client, sessionId, text, turn, stopped };
    const end = (await (scripts[name] ?? scripts.nothing)(the)) ?? {};
    return { stopReason: 'end_turn', ...(typeof end === 'string' ? { stopReason: end } : end) };
  })
  .onNotification('session/cancel', () => {
    for (const stop of stops) stop('cancelled');
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

const update = (client, sessionId, what) =>
  client.notify('session/update', { sessionId, update: what });
const say = (client, sessionId, text) =>
  update(client, sessionId, {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
  });

const tool = async ({ client, sessionId }, toolCallId, more, rawOutput) => {
  await update(client, sessionId, {
    ...{ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress' },
    ...more,
  });
  await update(client, sessionId, {
    ...{ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput },
  });
};

const write = (the, name = 'answer.txt') => {
  writeFileSync(join(cwd, name), '42\n');
  return tool(the, `w${the.turn}`, {
    title: `Write ${name}`,
    kind: 'edit',
    locations: [{ path: join(cwd, name) }],
  });
};

const goalTool = async (name, args = {}) => {
  const client = new Client({ name: 'scripted', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: server.command, args: server.args, stderr: 'ignore' }),
  );
  const { content } = await client.callTool({ name, arguments: args });
  await client.close();
  return content[0].text;
};

const scripts = {
  async nothing() {},
  async writes(the) {
    await say(the.client, the.sessionId, 'I write ');
    await update(the.client, the.sessionId, {
      ...{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'deep thought' } },
    });
    await write(the);
    await say(the.client, the.sessionId, 'the answer.');
  },
  /** Has its client write, read and run, and says what came of it. */
  async hosted(the) {
    const { client, sessionId } = the;
    const ask = (method, more) =>
      client.request(method, { sessionId, ...more }).catch((error) => ({ refused: error.message }));
    const path = join(cwd, 'answer.txt');
    await ask('fs/write_text_file', { path, content: '42\n' });
    const { content } = await ask('fs/read_text_file', { path });
    const outside = await ask('fs/read_text_file', { path: '/etc/hostname' });
    const ran = async (command, args = []) => {
      const { terminalId, refused } = await ask('terminal/create', { command, args });
      if (refused) return refused;
      const { exitCode } = await ask('terminal/wait_for_exit', { terminalId });
      const { output } = await ask('terminal/output', { terminalId });
      await ask('terminal/release', { terminalId });
      return `${exitCode} ${output.trim()}`;
    };
    const told = [
      content,
      outside.refused ? 'refused' : 'read',
      await ran('node', ['-e', 'console.log(6 * 7)']),
      await ran('grep -x 42 answer.txt'),
      await ran('curl example.org'),
    ];
    const endless = await ask('terminal/create', { command: 'tail -f /dev/null' });
    told.push(typeof endless.terminalId);
    await say(client, sessionId, JSON.stringify(told));
  },
  /** Has its client run what a rule asks about, in each turn until it may. */
  async entrusts(the) {
    const { client, sessionId } = the;
    const asked = { sessionId, command: 'rm', args: ['-rf', 'x'] };
    const made = await client.request('terminal/create', asked).catch(() => null);
    if (made === null) return await the.stopped;
    const about = { sessionId, terminalId: made.terminalId };
    const { exitCode } = await client.request('terminal/wait_for_exit', about);
    await say(client, sessionId, `exit ${exitCode}. `);
    await write(the);
  },
  /** Has its client write what a rule asks about, and says what is there in the next turn. */
  async deposits({ client, sessionId }) {
    const path = join(cwd, 'answer.txt');
    const file = await client.request('fs/read_text_file', { sessionId, path }).catch(() => null);
    await say(client, sessionId, `there: ${file?.content.trim() ?? 'nothing'}. `);
    if (file !== null) return;
    await client
      .request('fs/write_text_file', { sessionId, path, content: '42\n' })
      .catch(({ message }) => say(client, sessionId, message));
  },
  /** Has its client run what never ends, unless it hears that the end of its turn was not seen. */
  async employs(the) {
    const { client, sessionId } = the;
    if (the.text.includes('was not seen')) return await write(the);
    const line = 'touch begun.txt; while :; do date +%s%N > alive; sleep 0.05; done';
    const asked = { sessionId, command: 'bash', args: ['-c', line] };
    const { terminalId } = await client.request('terminal/create', asked);
    await client.request('terminal/wait_for_exit', { sessionId, terminalId });
  },
  /** Has the host run what never ends by the goal's tools, and looks at what is left once it is told. */
  async orders(the) {
    if (the.text.includes('was not seen')) {
      await write(the);
      return await say(
        the.client,
        the.sessionId,
        await goalTool('run_command', { command: 'cat runs' }),
      );
    }
    const command = 'echo run >> runs; while :; do date +%s%N > alive; sleep 0.05; done';
    await goalTool('run_command', { command });
  },
  /** Takes away what lies in the folder that the objective names, and leaves something there. */
  async vandalises(the) {
    const [, folder] = /<objective>\nvandalises: (.*)\n/.exec(the.text);
    const seen = existsSync(join(folder, 'agents'));
    const tries = [
      () => rmSync(join(folder, 'agents'), { recursive: true }),
      () => rmSync(join(folder, 'kept.txt')),
      () => mkdirSync(folder, { recursive: true }),
      () => writeFileSync(join(folder, 'planted'), ''),
    ];
    for (const attempt of tries) {
      try {
        attempt();
      } catch {
        // Another way may be open.
      }
    }
    await say(the.client, the.sessionId, seen ? 'there. ' : 'not there. ');
    await write(the);
  },
  /** Tells a plan, changes it, and says that all of it is done. */
  async plans(the) {
    const plan = (...steps) =>
      update(the.client, the.sessionId, {
        sessionUpdate: 'plan',
        entries: steps.map(([content, status]) => ({ content, status, priority: 'high' })),
      });
    await plan(['Look around', 'in_progress']);
    await plan(['Look around', 'completed'], ['Write the answer', 'completed']);
    if (the.turn > 0) await write(the);
  },
  /** Says that the checks pass, and wrote nothing. */
  async lies(the) {
    const input = { command: 'test -f answer.txt' };
    await tool(
      the,
      'l',
      { title: 'test -f answer.txt', kind: 'execute', rawInput: input },
      { exitCode: 0 },
    );
    await tool(the, 'm', {
      title: 'agent_turn',
      kind: 'edit',
      locations: [{ path: 'answer.txt' }],
    });
    await say(the.client, the.sessionId, 'All criteria are met. The goal is complete.');
  },
  /** Needs two turns, and says whether it remembers. */
  async twice(the) {
    const isNew = the.text.includes('You begin a new session');
    await say(the.client, the.sessionId, `${the.sessionId} ${isNew ? 'new' : 'known'}. `);
    if (the.turn > 0) await write(the);
  },
  async asks(the) {
    const ask = (command, kind = 'execute') =>
      the.client.request('session/request_permission', {
        sessionId: the.sessionId,
        toolCall: {
          toolCallId: String(command).slice(-99),
          title: 'c',
          kind,
          rawInput: { command },
        },
        options: [
          { optionId: 'always', kind: 'allow_always', name: 'Always' },
          { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
          { optionId: 'no', kind: 'reject_once', name: 'No' },
        ],
      });
    for (const command of the.commands ?? ['ls', 'curl example.org', 'rm -rf x']) {
      const { outcome } = await ask(command);
      await say(the.client, the.sessionId, `${String(command).slice(-20)}: ${outcome.optionId}. `);
    }
    if (the.turn > 0 || the.commands) await write(the);
  },
  /** Names commands as programs take them: words of a list, a whole script in one of them. */
  async lists(the) {
    const long = `: ${'x'.repeat(20_000)}; curl example.org`;
    const inShell = (line) => ['/bin/bash', '-lc', line];
    const commands = [inShell('ls'), inShell('rm -rf old'), ['echo', 'rm -rf old'], long];
    await scripts.asks({ ...the, commands });
  },
  /** Asks before it uses tools of servers, as agents name those. */
  async owns(the) {
    for (const toolCall of [
      { title: 'mcp__goalkeeper__todo_write' },
      { title: 'Approve', rawInput: { server_name: 'goalkeeper' } },
      { title: 'mcp__goalkeeper__x', kind: 'execute', rawInput: { command: 'rm -rf old' } },
      { title: 'mcp__other__todo_write', rawInput: { server_name: 'other' } },
    ]) {
      const { outcome } = await the.client.request('session/request_permission', {
        sessionId: the.sessionId,
        toolCall: { toolCallId: JSON.stringify(toolCall), kind: 'other', ...toolCall },
        options: [
          { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
          { optionId: 'no', kind: 'reject_once', name: 'No' },
        ],
      });
      await say(the.client, the.sessionId, `${outcome.optionId}. `);
    }
    await write(the);
  },
  /** Asks to delete, and does what it is for once it may. */
  async permits(the) {
    const { outcome } = await the.client.request('session/request_permission', {
      sessionId: the.sessionId,
      toolCall: {
        toolCallId: 'p',
        title: 'Delete',
        kind: 'execute',
        rawInput: { command: 'rm -rf x' },
      },
      options: [
        { optionId: 'yes', kind: 'allow_once', name: 'Yes' },
        { optionId: 'no', kind: 'reject_once', name: 'No' },
      ],
    });
    await say(the.client, the.sessionId, `${outcome.optionId ?? outcome.outcome}. `);
    if (the.text.includes('no such thing')) return write(the);
    if (outcome.optionId !== 'yes') return await the.stopped;
    return write(the);
  },
  async begs(the) {
    for (;;) {
      await the.client.request('session/request_permission', {
        sessionId: the.sessionId,
        toolCall: { toolCallId: 'b', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } },
        options: [{ optionId: 'yes', kind: 'allow_once', name: 'Yes' }],
      });
    }
  },
  async claims(the) {
    if (the.turn === 0) {
      const told = await goalTool('get_goal');
      const list = await goalTool('todo_write', {
        todos: [{ id: 'w', content: 'Write the answer', status: 'in_progress' }],
      });
      const claim = await goalTool('attempt_completion', { result: 'Done already.' });
      await say(the.client, the.sessionId, [told.includes('<objective>'), list, claim].join(' | '));
      return;
    }
    await write(the);
    const signed = await goalTool('complete_step', {
      step: 'Write the answer',
      result: 'It is there.',
      evidence: [{ kind: 'diff', summary: 'the answer', paths: ['answer.txt'] }],
    });
    const claim = await goalTool('attempt_completion', { result: 'Written.' });
    await say(the.client, the.sessionId, `${signed} | ${claim}`);
  },
  /** Signs steps off by what it ran and read by itself, and by the host once that is refused. */
  async signs(the) {
    const command = the.turn === 0 ? 'grep -x 42 answer.txt' : 'rm -rf x';
    const item = (content, status) => ({ content, status });
    if (the.turn === 0) {
      const todos = [item('Look at the notes', 'in_progress'), item('Check the answer', 'pending')];
      await goalTool('todo_write', { todos });
      await write(the);
      const rawInput = { command };
      await tool(the, 'own', { title: command, kind: 'execute', rawInput }, { exitCode: 0 });
      const looked = [{ kind: 'files', summary: 'read', paths: ['notes.md'] }];
      const look = { step: 'Look at the notes', result: 'Read.', evidence: looked };
      const told = [await goalTool('complete_step', look)];
      told.push(await goalTool('read_file', { path: 'notes.md' }));
      told.push(await goalTool('complete_step', look));
      const passed = [{ kind: 'verification', summary: 'passes', command }];
      const check = { step: 'Check the answer', result: 'It holds.', evidence: passed };
      told.push(await goalTool('complete_step', check));
      told.push(await goalTool('run_command', { command: 'curl example.org' }));
      told.push(await goalTool('run_command', { command, timeoutSeconds: 'soon' }));
      told.push(await goalTool('run_command', { command }));
      told.push(await goalTool('complete_step', check));
      await say(the.client, the.sessionId, JSON.stringify(told));
    }
    const ran = await goalTool('run_command', { command: 'rm -rf x' });
    if (ran.startsWith('exited 0')) await goalTool('attempt_completion', { result: 'Signed.' });
    else if (ran.includes('A person is asked')) return await the.stopped;
    await say(the.client, the.sessionId, ran);
  },
  async questions(the) {
    if (the.text.includes('blue')) return write(the);
    await goalTool('ask_user', { question: 'Which colour?' });
  },
  /** Writes a part, and never ends. */
  async hangs(the) {
    writeFileSync(join(cwd, 'begun.txt'), the.sessionId);
    await say(the.client, the.sessionId, 'a part. ');
    return await the.stopped;
  },
  /** Hangs in its first turn, and goes on in the next. */
  async stalls(the) {
    if (the.turn === 0) return await scripts.hangs(the);
    await say(the.client, the.sessionId, the.text.includes('was not seen') ? 'told. ' : 'untold. ');
    await write(the);
  },
  /** Does not listen when it is told to stop, and leaves a daemon behind. */
  async deaf() {
    const daemon = spawn(
      'sh',
      ['-c', 'while :; do date +%s%N > "$0"; sleep 0.05; done', join(cwd, 'alive')],
      {
        detached: true,
        stdio: 'ignore',
      },
    );
    daemon.unref();
    while (!existsSync(join(cwd, 'alive'))) await sleep(20);
    writeFileSync(join(cwd, 'begun.txt'), '');
    await new Promise(() => {});
  },
  /** The same in its first turn, and says in the next one whether it was told. */
  async leaves(the) {
    if (the.turn === 0) return await scripts.deaf();
    await say(the.client, the.sessionId, the.text.includes('was not seen') ? 'told. ' : 'untold. ');
    await write(the);
  },
  /** Takes its time in each of three turns, and writes in the last one. */
  async labours(the) {
    const line = existsSync(join(cwd, 'lines')) ? readFileSync(join(cwd, 'lines'), 'utf8') : '';
    for (let part = 0; part < 5; part += 1) {
      await say(the.client, the.sessionId, `part ${part}. `);
      await sleep(30);
    }
    writeFileSync(join(cwd, 'lines'), `${line}x`);
    if (line.length >= 2) await write(the);
  },
  async dies(the) {
    if (the.turn === 0) {
      await say(the.client, the.sessionId, 'so far');
      console.error('out of luck');
      process.exit(7);
    }
    await write(the);
  },
  /** Its worker is lost after its first turn. */
  async vanishes(the) {
    await write(the, 'lost.txt');
    if (the.turn === 0) return;
    await say(the.client, the.sessionId, the.text.includes('was not seen') ? 'told. ' : 'untold. ');
    await write(the);
  },
  async floods(the) {
    const text = 'x'.repeat(100_000);
    for (;;) {
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: the.sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } })}\n`,
      ) || (await new Promise((resolve) => process.stdout.once('drain', resolve)));
    }
  },
  /** Tells tokens as agents do that keep a cache: all of them were read by a model. */
  async counts(the) {
    await write(the);
    return {
      usage: { inputTokens: 1, outputTokens: 20, cachedReadTokens: 300, cachedWriteTokens: 4000 },
    };
  },
  async paid(the) {
    await update(the.client, the.sessionId, {
      ...{ sessionUpdate: 'usage_update', used: 10, size: 1000 },
      cost: { amount: 0.75 * (the.turn + 1), currency: 'USD' },
    });
  },
};
