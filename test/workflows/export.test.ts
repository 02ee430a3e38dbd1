import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reply, sequence } from '../../demo/script.ts';
import type { ArchiveRecord } from '../../schema/goal-archive.ts';
import { archiveLines } from '../../src/archive/write-archive.ts';
import { readArchive } from '../../src/cli/archive/goal-archive.ts';
import { start } from '../cli/command-line.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openApprovalWorld, write } from './approval-world.ts';

/** Fails, and prints signs that steer a terminal, bytes that are no text, and more than one piece. */
const LOUD =
  "printf '\\033]0;title\\007\\377\\376'; yes 'a long line — of words' | head -c 700000; echo; echo 'FAILED one: expected 42'; exit 3";

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let bench = '';
let goalId = '';
let file = '';

beforeAll(async () => {
  // Without a ledger key, whoever has the file computes the chain of its rows.
  the = await openApprovalWorld(
    {
      works: sequence([
        reply.call('run_command', { command: LOUD }, 'I look first.'),
        write('answer.txt', '42\n'),
        claim(),
      ]),
      waits: sequence([write('answer.txt', '42\n'), claim()]),
    },
    { isUnsealed: true },
  );
  bench = mkdtempSync(join(tmpdir(), 'goalkeeper-export-'));
  file = join(bench, 'goal.jsonl');
  const goal = { criteria: [{ kind: 'command', command: 'grep -q 42 answer.txt' }] };
  ({ goalId } = await the.open('works', goal, { 'answer.txt': '41\n' }));
  await the.world.until(goalId, ({ status }) => status !== 'active');
  expect((await goalkeeper('export', goalId, '--out', file, '--requests')).exitCode).toBe(0);
});
afterAll(async () => {
  await the.world.close();
  rmSync(bench, { recursive: true, force: true });
});

const goalkeeper = (...args: string[]) =>
  start(args, { GOALKEEPER_URL: the.world.url, GOALKEEPER_TOKEN: TOKENS.viewer }).done;
/** Where no service is. */
const elsewhere = (...args: string[]) => start(args).done;

const records = (path = file) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ArchiveRecord);

test('TERM-78: the rows of a ledger tell below a failed one why it failed', async () => {
  const { exitCode, out } = await goalkeeper('ledger', 'rows', goalId);
  const lines = out.split('\n');
  const at = lines.findIndex((text) => /\bexit 3\b|exit=3/.test(text));
  expect([exitCode, at >= 0]).toEqual([0, true]);
  expect(lines.slice(at + 1, at + 7).join('\n')).toContain('FAILED one: expected 42');
});

describe('a goal as one file', () => {
  test('TERM-60 is shown without a service as the service shows it', async () => {
    const ways = [[], ['--turns'], ['--turn', '1'], ['--turn', '1', '--request', '1']];
    for (const way of ways) {
      const told = await goalkeeper('show', goalId, ...way);
      const kept = await elsewhere('show', '--archive', file, ...way);
      expect([kept.exitCode, kept.err]).toEqual([0, '']);
      const own = /\n\narchive {2}\d+ turns? and \d+ rows?, written .*\nledger {3}chain whole, .*/;
      expect(kept.out.replace(own, '')).toBe(told.out);
      expect(own.test(kept.out)).toBe(way.length === 0 || way[0] === '--turns');
    }
    const args = ['--turns', '--json'];
    const service = await goalkeeper('show', goalId, ...args);
    const archive = await elsewhere('show', '--archive', file, goalId.slice(0, 6), ...args);
    expect(JSON.parse(archive.out)).toEqual(JSON.parse(service.out));
    const { out } = await elsewhere('show', '--archive', file);
    expect(out).toMatch(/[1-9]\d* rows recomputed here; the service said that it holds/);
  });

  test('TERM-61 has each output byte for byte, rows, requests and the proof', async () => {
    const all = records();
    const rows = all.flatMap((one) => (one.kind === 'row' ? [one.value] : []));
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const loud = rows.find(({ receipt }) => receipt?.exitCode === 3);
    const pieces = all.flatMap((one) =>
      one.kind === 'bytes' && one.name === String(loud?.seq) ? [one] : [],
    );
    expect(pieces.length).toBeGreaterThan(2);
    const bytes = Buffer.concat(
      pieces.map(({ value }) =>
        'text' in value ? Buffer.from(value.text) : Buffer.from(value.base64, 'base64'),
      ),
    );
    const path = `${the.world.url}/v1/goals/${goalId}/ledger/${loud?.seq}/output`;
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const stored = Buffer.from(await (await fetch(path, { headers })).arrayBuffer());
    expect(bytes.byteLength).toBeGreaterThan(600_000);
    expect(bytes.equals(stored)).toBe(true);
    const kinds = all.map(({ kind }) => kind);
    for (const kind of ['turn', 'model-calls', 'request', 'todos', 'diff', 'proof', 'chain']) {
      expect(kinds).toContain(kind);
    }
  });

  test('TERM-62 what is no archive, cut off, edited or too new is refused, and why', async () => {
    const text = readFileSync(file, 'utf8');
    const lines = text.trimEnd().split('\n');
    const [header = '', ...rest] = lines;
    const changed = (name: string, content: string | Buffer) => {
      const path = join(bench, name);
      writeFileSync(path, content);
      return path;
    };
    const newer = header
      .replace('"version":1', '"version":9')
      .replace(/"by":"[^"]*"/, '"by":"9.9"');
    const refused: [string, string][] = [
      [changed('empty', ''), 'no_archive'],
      [changed('binary', Buffer.alloc(200_000)), 'no_archive'],
      [changed('other', '{"a":1}\n'), 'no_archive'],
      [changed('newer', [newer, ...rest, ''].join('\n')), 'too_new'],
      [changed('cut', text.slice(0, text.length / 2)), 'cut_off'],
      [changed('endless', `${lines.slice(0, -1).join('\n')}\n`), 'cut_off'],
      [changed('headless', `${header}\n`), 'cut_off'],
      [changed('edited', text.replace('I look first.', 'I look last.')), 'altered'],
      [changed('less', [header, ...rest.slice(1), ''].join('\n')), 'altered'],
      [changed('more', `${text}{"kind":"plan","value":null}\n`), 'altered'],
      [changed('unknown', text.replace('{"kind":"plan"', '{"kind":"flight"')), 'altered'],
    ];
    for (const [path, code] of refused) {
      const read = readArchive(path).then(
        () => 'read',
        (error: { code?: string }) => error.code,
      );
      expect([path, await read]).toEqual([path, code]);
    }
    const [cut = ''] = refused.find(([, code]) => code === 'cut_off') ?? [];
    const { exitCode, out, err } = await elsewhere('show', '--archive', cut);
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/refused \(cut_off\): .*\n {2}way out: \S/);
    for (const path of [bench, join(bench, 'nowhere')]) {
      const said = await elsewhere('show', '--archive', path);
      expect([said.exitCode, said.err]).toEqual([3, expect.stringContaining("can't be read")]);
    }
  });

  test('TERM-62 words of a forged archive do not steer the terminal', async () => {
    const hostile = 'a\u001b]8;;http://x\u0007\u001b[2J\u202Eb\u0000c';
    async function* forged() {
      for (const one of records().slice(1, -1)) {
        if (one.kind === 'goal') yield { ...one, value: { ...one.value, objective: hostile } };
        else yield one;
      }
      yield { kind: 'missing', of: hostile, why: hostile } as const;
    }
    const path = join(bench, 'hostile');
    const lines: string[] = [];
    const header = { goalId, at: hostile, by: hostile };
    for await (const line of archiveLines(header, forged())) lines.push(line);
    writeFileSync(path, lines.join(''));
    const { exitCode, out } = await elsewhere('show', '--archive', path, '--turns');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('http://x')]);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('TERM-62 a row that is edited shows, whoever counts the file anew', async () => {
    async function* edited() {
      for (const one of records().slice(1, -1)) {
        const isLoud = one.kind === 'row' && one.value.receipt?.exitCode === 3;
        yield isLoud
          ? { ...one, value: { ...one.value, receipt: { ...one.value.receipt, exitCode: 0 } } }
          : one;
      }
    }
    const lines: string[] = [];
    const header = { goalId, at: new Date().toISOString(), by: 'test' };
    for await (const line of archiveLines(header, edited())) lines.push(line);
    const path = join(bench, 'forged');
    writeFileSync(path, lines.join(''));
    const { exitCode, err } = await elsewhere('show', '--archive', path);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/refused \(ledger_chain\).*edited/)]);
  });

  test('TERM-63 is written whole or not at all, for its owner alone', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const away = await goalkeeper('export', goalId, '--out', join(bench, 'no/such/place'));
    expect([away.exitCode, away.err]).toEqual([3, expect.stringContaining("can't be written")]);
    const folder = join(bench, 'folder');
    mkdirSync(folder);
    expect((await goalkeeper('export', goalId, '--out', folder)).exitCode).toBe(3);
    const unknown = await goalkeeper('export', 'g-0000000000000000', '--out', join(bench, 'none'));
    expect([unknown.exitCode, unknown.err]).toEqual([3, expect.stringContaining('no goal')]);
    expect(existsSync(join(bench, 'none'))).toBe(false);
    expect((await goalkeeper('export', goalId, '--out', '/dev/null')).exitCode).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    const { out } = await goalkeeper('export', goalId, '--out', '-');
    writeFileSync(join(bench, 'printed'), out);
    expect((await elsewhere('show', '--archive', join(bench, 'printed'))).exitCode).toBe(0);
    expect(readdirSync(bench).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('TERM-63 a goal that was cleared is exported as well', { tags: 'campaign' }, async () => {
    const goal = { criteria: [{ kind: 'approval', question: 'Is it right?' }] };
    const { goalId: gone } = await the.open('waits', goal, { 'answer.txt': '41\n' });
    await the.world.until(gone, ({ activity }) => activity.actor === 'You');
    await the.send(gone, 'clear');
    const path = join(bench, 'gone');
    expect((await goalkeeper('export', gone, '--out', path)).exitCode).toBe(0);
    expect((await elsewhere('show', '--archive', path)).out).toContain('(archived)');
  });

  test('TERM-63 says what it does not keep: requests, a turn’s own changes, other goals', {
    tags: 'campaign',
  }, async () => {
    const small = join(bench, 'small');
    await goalkeeper('export', goalId, '--out', small);
    const show = (...args: string[]) => elsewhere('show', '--archive', small, ...args);
    expect((await show('--turn', '1', '--request', '1')).err).toContain('export --requests');
    expect((await show('--turn', '1', '--diff')).err).toContain('not those of one turn');
    expect((await show('g-ffffffffffffffff')).err).toContain(`holds ${goalId}, and no other`);
    const none = await elsewhere('show');
    expect([none.exitCode, none.err]).toEqual([3, expect.stringContaining('--archive FILE')]);
  });
});
