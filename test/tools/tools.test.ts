import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NEVER_ASKED } from '../../schema/tool-rule.ts';
import { createMasker } from '../../src/secrets/masker.ts';
import { builtInTools } from '../../src/tools/built-in.ts';
import { cutText } from '../../src/tools/output.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { maskEffects } from '../../src/workspace/helper/masked.ts';
import { sha256 } from '../../src/workspace/paths.ts';
import { temporaryFolder, testContext, testEffects } from './support.ts';

const mask = createMasker({ MY_API_KEY: 'hunter2-hunter2' });
const registry = createRegistry(builtInTools, mask);

async function bench() {
  const root = await temporaryFolder();
  const context = testContext(root, testEffects().effects);
  const call = async (name: string, input: object) => {
    const parsed = await registry.parse(name, JSON.stringify(input));
    const tool = registry.find(name);
    if (!parsed.ok || !tool) throw new Error(parsed.ok ? name : parsed.message);
    const plan = await tool.plan?.(parsed.args, context);
    if (plan && 'outcome' in plan) return plan;
    return tool.run(parsed.args, context, plan);
  };
  return {
    root,
    context,
    call,
    put: (path: string, text: string | Buffer) => writeFile(join(root, path), text),
  };
}

const message = async (name: string, raw: string) => {
  const parsed = await registry.parse(name, raw);
  return parsed.ok ? 'ok' : parsed.message;
};

test('F23 malformed, empty and wrong arguments give typed messages', async () => {
  expect(await message('read_file', '{"path": ')).toMatch(/not JSON.*Nothing was run/s);
  expect(await registry.parse('list_files', '')).toEqual({ ok: true, args: {} });
  expect(await message('read_file', '{"path": 3}')).toMatch(/path: /);
  expect(await message('edit_file', '{"path":"a","edits":[{"oldText":"a"}]}')).toMatch(
    /edits\.0\.newText/,
  );
  expect(await message('read_file', '{"path":"a","mode":"x"}')).toMatch(/mode/);
  expect(await message('readfile', '{}')).toMatch(/no tool "readfile".*read_file/);
});

test('C2, R1 a claim without result and a sign-off without evidence are refused by name', async () => {
  expect(await message('attempt_completion', '{}')).toMatch(/result/);
  expect(await message('attempt_completion', '{"result":"  "}')).toMatch(/result/);
  expect(await message('complete_step', '{"step":1,"result":"x","evidence":[]}')).toMatch(
    /evidence/,
  );
});

test('modes declare their tools with JSON Schemas', () => {
  const names = (mode: 'agent' | 'plan' | 'gather') =>
    registry.declarations(mode).map((t) => t.name);
  expect(names('gather')).toEqual([
    'read_file',
    'list_files',
    'grep_search',
    'ask_user',
    'report_blocker',
    'recall',
  ]);
  expect(names('plan')).toContain('attempt_completion');
  expect(names('plan')).not.toContain('write_file');
  const offered = builtInTools.filter(({ isHostsOwn }) => isHostsOwn !== true);
  expect(names('agent')).toHaveLength(offered.length);
  const read = registry.declarations('agent').find((tool) => tool.name === 'read_file');
  expect(read?.parameters).toMatchObject({
    type: 'object',
    required: ['path'],
    additionalProperties: false,
  });
});

test('tools are declared by words of JSON Schema that every provider takes', () => {
  const words = new Set<string>();
  const formats = new Set<string>();
  const look = (schema: object) => {
    for (const [word, value] of Object.entries(schema)) {
      words.add(word);
      if (word === 'format') formats.add(value);
      const inner = word === 'properties' ? Object.values(value) : [value].flat();
      for (const one of inner) if (typeof one === 'object' && one !== null) look(one);
    }
  };
  for (const { parameters } of registry.declarations('agent')) look(parameters);
  const shape = ['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf'];
  const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
  const told = [...shape, ...bounds, 'enum', 'const', 'description', 'pattern', 'format'];
  expect([...words].filter((word) => !told.includes(word))).toEqual([]);
  expect([...formats].toSorted()).toEqual(['date-time', 'uri']);
});

test('O33 calls that only tell the host something are not what kills workers', () => {
  const innocent = builtInTools.filter(({ endsTurn, isForHost }) => endsTurn || isForHost);
  expect(innocent.map(({ name }) => name).toSorted()).toEqual([
    'agent_permission',
    'ask_user',
    'attempt_completion',
    'continue_work',
    'delegate',
    'report_blocker',
    'set_requirements',
    'wait_for',
  ]);
});

test('the tools that only speak are those that no rule may ask a person about', () => {
  const speaking = builtInTools.filter(({ isSpeaking }) => isSpeaking).map(({ name }) => name);
  expect(speaking.toSorted()).toEqual([...NEVER_ASKED].toSorted());
});

test('wait_for with a secret in what it waits for is refused: what is stored of it is never met', async () => {
  const { call } = await bench();
  for (const given of [
    { command: 'curl -H "x: hunter2-hunter2" localhost' },
    { file: 'out/hunter2-hunter2' },
    { url: 'https://ci.example.com/?key=hunter2-hunter2' },
  ]) {
    const { outcome, text, end } = await call('wait_for', given);
    expect({ outcome, end }).toEqual({ outcome: 'refused', end: undefined });
    expect(text).toMatch(new RegExp(`^Refused: ${Object.keys(given)[0]}: it holds a secret.*file`));
    expect(text).not.toContain('hunter2');
  }
  expect(
    await call('wait_for', { command: '. ./.env && curl -H "x: $KEY" localhost' }),
  ).toMatchObject({ outcome: 'succeeded', end: { kind: 'election' } });
});

test('declarations are made once: every step of every goal asks for them', () => {
  expect(registry.declarations('agent')).toBe(registry.declarations('agent'));
  expect(registry.declarations('plan')).not.toBe(registry.declarations('agent'));
});

test('read_file numbers lines, pages, and refuses what is no text', async () => {
  const { call, put } = await bench();
  await put('a.txt', '\uFEFFone\r\ntwo\nthree\n');
  await put('b.bin', Buffer.from([1, 0, 2]));
  const read = await call('read_file', { path: 'a.txt', offset: 2, limit: 1 });
  expect(read.text).toBe('     2\ttwo\n(1 more lines; go on with offset 3)');
  expect(read.receipt.reads).toEqual(['a.txt']);
  expect(await call('read_file', { path: 'b.bin' })).toMatchObject({ outcome: 'failed' });
  expect(await call('read_file', { path: '../x' })).toMatchObject({ outcome: 'refused' });
  expect((await call('read_file', { path: 'none' })).text).toContain('does not exist');
});

test('list_files and grep_search honour .gitignore and globs', async () => {
  const { call, put, root } = await bench();
  await mkdir(join(root, 'src'));
  await put('.gitignore', 'hidden.ts');
  await put('hidden.ts', 'needle');
  await put('src/a.ts', 'hay\nneedle here\n');
  await put('src/b.md', 'needle');
  expect((await call('list_files', {})).text).toBe('.gitignore\nsrc/a.ts\nsrc/b.md');
  expect((await call('list_files', { path: 'src', glob: '*.ts' })).text).toBe('src/a.ts');
  const found = await call('grep_search', { pattern: 'needle', glob: '*.ts', path: 'src' });
  expect(found).toMatchObject({ text: 'src/a.ts:2:needle here', receipt: { reads: ['src/a.ts'] } });
  expect((await call('grep_search', { pattern: 'needle', maxResults: 1 })).text).toContain(
    'there is more',
  );
  expect(await call('grep_search', { pattern: '(' })).toMatchObject({ outcome: 'failed' });
  expect((await call('grep_search', { pattern: 'absent' })).text).toBe('No matches.');
});

test('R36 list_files and grep_search read a glob alike', async () => {
  const { call, put, root } = await bench();
  await mkdir(join(root, 'src', 'deep'), { recursive: true });
  await put('.gitignore', '*.log');
  for (const name of ['a.ts', 'src/a.ts', 'src/b.md', 'src/deep/c.ts', 'd.log']) {
    await put(name, 'needle');
  }
  const globs = ['*.ts', '**/*.ts', 'src/*', 'src/**', 'deep/*', '{a,c}.ts', '*.log', '[a-b].*'];
  for (const glob of globs) {
    for (const path of ['.', 'src']) {
      const listed = await call('list_files', { glob, path });
      const found = await call('grep_search', { pattern: 'needle', glob, path });
      const names = listed.text === 'No files.' ? [] : listed.text.split('\n');
      expect([glob, path, found.receipt.reads]).toEqual([glob, path, names]);
    }
  }
  for (const glob of ['!src/**', '**.ts', 'src/{a', '[a']) {
    const [listed, found] = [
      await call('list_files', { glob }),
      await call('grep_search', { pattern: 'needle', glob }),
    ];
    expect([glob, listed.outcome, found.outcome]).toEqual([glob, 'failed', 'failed']);
    expect(found.text).toBe(listed.text);
  }
});

test('list_files and grep_search leave out what the policy guards, unless they were asked for it', async () => {
  const { call, put, root, context } = await bench();
  await mkdir(join(root, 'keys'));
  await mkdir(join(root, 'plans'));
  await put('a.txt', 'needle');
  await put('keys/b.txt', 'needle');
  await put('plans/c.txt', 'needle');
  const guard = (path: string) =>
    path.startsWith('keys') ? 'deny' : path.startsWith('plans') ? 'ask' : 'allow';
  Object.assign(context, { guard });
  const note = '(2 left out: the policy keeps those files closed)';
  expect((await call('list_files', {})).text).toBe(`a.txt\n${note}`);
  const found = await call('grep_search', { pattern: 'needle' });
  expect(found).toMatchObject({ text: `a.txt:1:needle\n${note}`, receipt: { reads: ['a.txt'] } });
  const approved = await call('grep_search', { pattern: 'needle', path: 'plans' });
  expect(approved.text).toBe('plans/c.txt:1:needle');
});

test('a planned write settles by hashes: done, to be done, or changed by someone else', async () => {
  const { call, root, context, put } = await bench();
  const first = await call('write_file', { path: 'src/a.ts', content: 'one' });
  expect(first).toMatchObject({ outcome: 'succeeded', wrote: true });
  expect(first.receipt.hashes).toEqual({ 'src/a.ts': sha256(Buffer.from('one')) });
  const tool = registry.find('edit_file');
  const args = { path: 'src/a.ts', edits: [{ oldText: 'one', newText: 'two' }] };
  const plan = await tool?.plan?.(args, context);
  if (!tool || !plan || 'outcome' in plan) throw new Error('no plan');
  expect(await tool.run(args, context, plan)).toMatchObject({ outcome: 'succeeded' });
  expect(await tool.run(args, context, plan)).toMatchObject({ outcome: 'succeeded', wrote: true });
  expect(await readFile(join(root, 'src/a.ts'), 'utf8')).toBe('two');
  await put('src/a.ts', 'three');
  expect(await tool.run(args, context, plan)).toMatchObject({ outcome: 'failed' });
  expect(await readFile(join(root, 'src/a.ts'), 'utf8')).toBe('three');
});

test('run_command says when a test run that exited zero tested nothing', async () => {
  const { call, put } = await bench();
  const empty = {
    outcome: 'succeeded',
    receipt: { ranNothing: 'node:test found no tests to run' },
  };
  expect(await call('run_command', { command: 'node --test' })).toMatchObject({
    ...empty,
    text: expect.stringContaining('this proves nothing'),
  });
  await put('log.txt', '# tests 0\n# pass 0\n');
  const shown = await call('run_command', { command: 'cat log.txt' });
  expect(shown.receipt.ranNothing).toBeUndefined();
  await put('a.test.js', "require('node:test')('a', () => {});");
  const ran = await call('run_command', { command: 'node --test' });
  expect(ran).toMatchObject({ outcome: 'succeeded' });
  expect(ran.receipt.ranNothing).toBeUndefined();
});

test('run_command tells exit, writes and expected failures truly', async () => {
  const { call } = await bench();
  const wrote = await call('run_command', { command: 'echo hi > made.txt' });
  const hashes = { 'made.txt': sha256(Buffer.from('hi\n')) };
  expect(wrote).toMatchObject({
    outcome: 'succeeded',
    wrote: true,
    receipt: { exitCode: 0, command: 'echo hi > made.txt', cwd: '.', writes: ['made.txt'], hashes },
  });
  expect(await call('run_command', { command: 'grep nope made.txt' })).toMatchObject({
    outcome: 'failed',
    wrote: false,
    receipt: { exitCode: 1, reason: 'exited 1' },
  });
  const expected = { outcome: 'succeeded', receipt: { exitCode: 1, expectFailure: true } };
  expect(await call('run_command', { command: 'false', expectFailure: true })).toMatchObject(
    expected,
  );
  expect(await call('run_command', { command: 'true', expectFailure: true })).toMatchObject({
    outcome: 'failed',
  });
  const late = await call('run_command', {
    command: 'sleep 9',
    timeoutSeconds: 1,
    expectFailure: true,
  });
  expect(late).toMatchObject({
    outcome: 'failed',
    receipt: { reason: expect.stringContaining('time limit') },
  });
});

test('secrets are masked in text, output and receipt', async () => {
  const { call, context } = await bench();
  const { effects } = testEffects();
  Object.assign(context, { effects: maskEffects(effects, mask) });
  const command = 'echo hunter2-hunter2 ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const result = await call('run_command', { command });
  const all = JSON.stringify(result) + Buffer.from(result.output ?? []).toString();
  expect(all).not.toMatch(/hunter2|ghp_/);
  expect(result.text).toContain('[masked] [masked]');
});

test('the lifecycle tools end the slice or refuse', async () => {
  const { call } = await bench();
  const claim = await call('attempt_completion', { result: 'done', command: 'npm test' });
  expect(claim.end).toEqual({ kind: 'claim', result: 'done', command: 'npm test' });
  expect((await call('ask_user', { question: 'Which?' })).end).toEqual({
    kind: 'question',
    text: 'Which?',
    options: [],
    hasDefault: false,
  });
  expect((await call('report_blocker', { kind: 'external', blocker: 'no key' })).end?.kind).toBe(
    'blocker',
  );
  const list = await call('todo_write', { todos: [{ content: 'Build', status: 'in_progress' }] });
  expect(list.todos).toMatchObject([{ content: 'Build', status: 'in_progress' }]);
  const evidence = [{ kind: 'manual', summary: 'looked' }];
  expect((await call('complete_step', { step: 1, result: 'x', evidence })).outcome).toBe('failed');
});

test('cut text keeps head and tail and whole characters', () => {
  const cut = cutText('😀'.repeat(1000), 'ask for less', 200);
  expect(cut.length).toBeLessThanOrEqual(200);
  expect(cut).toMatch(/left out; ask for less/);
  expect(Buffer.from(cut).toString()).toBe(cut);
});

test('M23 the model has no tool to resume, pause, clear, approve or pay', () => {
  const mayDo = builtInTools.map(({ name }) => name);
  expect(mayDo.length).toBeGreaterThan(5);
  const persons = /resume|revive|pause|clear|approve|accept|budget|cancel/;
  expect(mayDo.filter((name) => persons.test(name))).toEqual([]);
});
