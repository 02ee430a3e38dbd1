import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { FileChanges, GoalChanges } from '../../schema/changes.ts';
import type { GoalDiff } from '../../schema/checkpoint.ts';
import type { LedgerRow } from '../../schema/ledger.ts';
import { TOKENS } from '../support/goal-world.ts';
import { png, pngOf } from '../support/images.ts';
import { openScriptedGoals, type ScriptedGoals } from '../support/scripted-goals.ts';
import { problemOf } from '../workflows/helpers.ts';

const file = (path: string, content: string) => reply.call('write_file', { path, content });
const run = (command: string) => reply.call('run_command', { command });
const ask = reply.call('ask_user', { question: 'Is it right?' });
const on = reply.text('I continue.');

/** Far enough apart that each change is a hunk of its own. */
const numbered = (changed: Readonly<Record<number, string>> = {}) =>
  `${Array.from({ length: 40 }, (_, at) => changed[at] ?? `line ${at}`).join('\n')}\n`;

let goals: ScriptedGoals;
beforeAll(async () => {
  goals = await openScriptedGoals({
    writes: sequence([
      file('src/a.js', numbered({ 2: 'two' })),
      run('node --test'),
      file('src/b.js', 'export {};\n'),
      on,
      file('src/a.js', numbered({ 2: 'two', 30: 'thirty' })),
      on,
      run("printf 'more\\n' >> src/b.js; printf 'x' > test/a.test.js; printf '\\0' > pic.bin"),
      ask,
    ]),
    turns: sequence([
      run(
        'unlink was-folder/in.txt; rmdir was-folder; unlink was-file; echo file > was-folder; mkdir was-file; echo new > was-file/x',
      ),
      run(`echo key > sk-ant-api03-${'k'.repeat(40)}.txt`),
      ask,
    ]),
  });
});
afterAll(() => goals.world.close());

const get = <Answer>(path: string) => goals.world.client.get<Answer>(path);
const changesOf = (goalId: string, query = '') =>
  get<GoalChanges>(`/v1/goals/${goalId}/changes?${query}`);
const linesOf = (goalId: string, path: string, query = '') =>
  get<FileChanges>(`/v1/goals/${goalId}/changes/file?path=${encodeURIComponent(path)}&${query}`);

async function written() {
  const path = await goals.world.workspace({
    'package.json': '{"scripts":{"test":"node --test"}}\n',
    'src/a.js': numbered(),
    'test/a.test.js': '\n',
    'yarn.lock': '',
  });
  const goal = await goals.run('writes', {
    workspace: { path },
    criteria: [
      { kind: 'command', command: 'node --test' },
      { kind: 'file', path: 'pic.bin', exists: true },
    ],
    scope: { change: ['src/**'] },
  });
  return { ...goal, path };
}

test('CON-30: changes are told apart by scope, by the criteria that they judge, and by size; a hunk names turn, call and what it made stale', async () => {
  const { goalId, path } = await written();
  const listed = await changesOf(goalId);
  expect(listed).toMatchObject({ from: 't0', to: 'now', nextCursor: null });
  expect(listed.files.map(({ path: name, scope, status }) => [name, scope, status])).toEqual([
    ['pic.bin', 'in', 'added'],
    ['src/a.js', 'in', 'modified'],
    ['src/b.js', 'in', 'added'],
    ['test/a.test.js', 'beyond', 'modified'],
  ]);
  expect(listed.total).toEqual({ files: 4, added: 5, removed: 3, beyond: 1 });
  expect(listed.files[0]).toMatchObject({
    ...{ isBinary: true, bytes: { before: null, after: 1 } },
    judges: [{ criterionId: 'c2', how: 'asked' }],
  });
  expect(listed.files[3]?.judges).toEqual([{ criterionId: 'c1', how: 'by_name' }]);
  expect(await changesOf(goalId, 'limit=1&cursor=1')).toMatchObject({
    ...{ files: [{ path: 'src/a.js' }], nextCursor: '2', total: listed.total },
  });

  const rows = (await get<{ items: LedgerRow[] }>(`/v1/goals/${goalId}/ledger?limit=100`)).items;
  const ends = (tool: string) =>
    rows.filter((row) => row.phase === 'settled' && row.tool === tool).map(({ seq }) => seq);
  const [first, second, third] = ends('write_file');
  const a = await linesOf(goalId, 'src/a.js');
  expect(a.hunks.map(({ turns, rows, unknown }) => ({ turns, rows, unknown }))).toEqual([
    { turns: [1], rows: [{ seq: first, turn: 1, tool: 'write_file' }], unknown: null },
    { turns: [2], rows: [{ seq: third, turn: 2, tool: 'write_file' }], unknown: null },
  ]);
  expect(a.hunks[0]?.lines).toEqual([
    ' line 0',
    ' line 1',
    '-line 2',
    '+two',
    ' line 3',
    ' line 4',
    ' line 5',
  ]);
  expect(second).toBeGreaterThan(first ?? 0);

  // The command wrote it behind the write of the first turn.
  const b = await linesOf(goalId, 'src/b.js');
  expect(b.hunks).toMatchObject([
    {
      turns: [1, 3],
      rows: [{ tool: 'write_file' }, { tool: 'run_command' }],
      unknown: null,
      madeStale: ['c1'],
    },
  ]);
  const bin = await linesOf(goalId, 'pic.bin');
  expect(bin).toMatchObject({ isBinary: true, hunks: [] });

  // A turn removed what stood there, and no call wrote what stands there now.
  await writeFile(join(path, 'src/a.js'), numbered({ 2: 'mine', 30: 'thirty' }));
  expect((await changesOf(goalId)).files[1]).toMatchObject({ path: 'src/a.js', added: 2 });
  const edited = await linesOf(goalId, 'src/a.js');
  expect(edited.hunks[0]).toMatchObject({ turns: [1], unknown: 'it was written between turns' });
  expect(edited.hunks[1]).toMatchObject({ turns: [2], unknown: null });
});

test('CON-78: a file without lines is told by sizes and digests, an image with its picture, and one in which a secret stands without', async () => {
  const { goalId, path } = await written();
  const [clean, hiding] = [png(8, 8), pngOf(8, 8, Buffer.from(TOKENS.operator))];
  await writeFile(join(path, 'clean.png'), clean);
  await writeFile(join(path, 'hiding.png'), hiding);
  await writeFile(join(path, 'large.bin'), Buffer.alloc(1024 * 1024 + 1));
  await changesOf(goalId);
  const binaryOf = async (name: string) => (await linesOf(goalId, name)).binary;
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
  expect(await binaryOf('clean.png')).toEqual({
    before: null,
    after: {
      ...{ bytes: clean.length, sha256: sha256(clean) },
      picture: { mediaType: 'image/png', base64: clean.toString('base64') },
    },
  });
  expect((await binaryOf('hiding.png'))?.after).toEqual({
    ...{ bytes: hiding.length, sha256: sha256(hiding), picture: null },
  });
  expect((await binaryOf('large.bin'))?.after).toMatchObject({ sha256: null, picture: null });
  expect((await binaryOf('pic.bin'))?.after).toMatchObject({ bytes: 1, picture: null });
  expect(await binaryOf('src/a.js')).toBeNull();
});

test('CON-46: a path that leads out of the workspace is refused by its field, without a word of the machine', async () => {
  const { goalId } = await written();
  for (const path of ['../../x', '/etc/passwd', 'src/../../x', '..']) {
    const problem = await problemOf(linesOf(goalId, path));
    expect(problem, path).toMatchObject({ code: 'not_found', field: 'path' });
    expect(JSON.stringify(problem)).not.toContain('checkpoints/');
  }
});

test('CON-31: a range of turns has their changes alone, a page of lines goes on where the last one ended, and a file that is not among them is refused', async () => {
  const { goalId } = await written();
  const range = await changesOf(goalId, 'from=1&to=2');
  expect(range.files.map(({ path }) => path)).toEqual(['src/a.js']);
  expect((await changesOf(goalId, 'from=2&to=2')).files).toEqual([]);
  const whole = (await linesOf(goalId, 'src/a.js')).hunks.flatMap(({ lines }) => lines);
  const read: string[] = [];
  let at: string | null = '0';
  while (at !== null) {
    const page: FileChanges = await linesOf(goalId, 'src/a.js', `limit=3&cursor=${at}`);
    for (const { oldLines, newLines, lines } of page.hunks) {
      expect(lines.filter((line) => !line.startsWith('+'))).toHaveLength(oldLines);
      expect(lines.filter((line) => !line.startsWith('-'))).toHaveLength(newLines);
      read.push(...lines);
    }
    at = page.nextCursor;
  }
  expect(read).toEqual(whole);
  for (const path of ['package.json', '../secret', 'nowhere'])
    expect(await problemOf(linesOf(goalId, path))).toMatchObject({ code: 'not_found' });
  expect(await problemOf(changesOf(goalId, 'limit=5001'))).toMatchObject({ status: 400 });
});

test('CON-174: a file that was a folder, a folder that was a file, and a name in which a secret stands are shown by the names that the list has', async () => {
  const path = await goals.world.workspace({ 'was-folder/in.txt': 'in\n', 'was-file': 'old\n' });
  const { goalId } = await goals.run('turns', { workspace: { path }, criteria: [] });
  const { files } = await changesOf(goalId);
  const masked = files.find(({ path: name }) => name.includes('[masked]'))?.path ?? '';
  expect(files.map(({ path: name, status }) => [name, status])).toEqual([
    [masked, 'added'],
    ['was-file', 'deleted'],
    ['was-file/x', 'added'],
    ['was-folder', 'added'],
    ['was-folder/in.txt', 'deleted'],
  ]);
  const shown = await Promise.all(files.map(({ path: name }) => linesOf(goalId, name)));
  expect(shown.map(({ hunks }) => hunks.flatMap(({ lines }) => lines))).toEqual([
    ['+key'],
    ['-old'],
    ['+new'],
    ['+file'],
    ['-in'],
  ]);
  const diff = await get<GoalDiff>(`/v1/goals/${goalId}/diff`);
  expect(diff.files.map((one) => one.diff?.match(/^diff --git/gm)?.length)).toEqual([
    ...[1, 1, 1, 1, 1],
  ]);
  for (const name of ['./was-file', 'was-folder/'])
    expect(await problemOf(linesOf(goalId, name))).toMatchObject({
      ...{ code: 'not_found', field: 'path', detail: `No file ${name} differs between t0 and now` },
    });
  expect(await problemOf(linesOf(goalId, 'was-file', 'to=t99'))).toMatchObject({
    ...{ code: 'not_found', field: 'to', detail: 'There is no checkpoint t99; it has t0, t1' },
  });
});

test('CON-167: what was kept is compared once the folder is gone, as the refusal of its present says', async () => {
  const { goalId, path } = await written();
  const kept = await linesOf(goalId, 'src/a.js', 'to=2');
  await rm(path, { recursive: true });
  const { detail } = await problemOf(changesOf(goalId));
  expect(detail).toContain('give "to" as a turn');
  expect((await changesOf(goalId, 'to=2')).files.map((file) => file.path)).toEqual([
    'src/a.js',
    'src/b.js',
  ]);
  expect(await linesOf(goalId, 'src/a.js', 'to=2')).toEqual(kept);
  const diff = await get<GoalDiff>(`/v1/goals/${goalId}/diff?to=2`);
  expect(diff.files).toMatchObject([{ path: 'src/a.js' }, { path: 'src/b.js' }]);
});

test('CON-72: a list that was shown before tells what was written since, taken back, and judged anew', async () => {
  const { goalId, path } = await written();
  const fileOf = async (name: string) =>
    (await changesOf(goalId)).files.find((one) => one.path === name);
  const before = await fileOf('src/b.js');
  expect(await fileOf('src/b.js')).toEqual(before);
  await writeFile(join(path, 'src/b.js'), 'export {};\nmore\nand more\n');
  expect(await fileOf('src/b.js')).toMatchObject({ added: 3, bytes: { before: null, after: 25 } });
  await writeFile(join(path, 'src/b.js'), 'export {};\nmore\n');
  expect(await fileOf('src/b.js')).toEqual(before);
  const criteria = [{ kind: 'file', path: 'src/b.js', exists: true }];
  await goals.world.client.send('PATCH', `/v1/goals/${goalId}`, { criteria });
  expect((await fileOf('src/b.js'))?.judges).toMatchObject([{ how: 'asked' }]);
});
