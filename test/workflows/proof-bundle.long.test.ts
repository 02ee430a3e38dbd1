import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sequence } from '../../demo/script.ts';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { attachNote } from '../../src/attest/attach-note.ts';
import { payloadOfLine, readPublicKeys, type Signer, signLine } from '../../src/attest/dsse.ts';
import { BundleRefused } from '../../src/attest/refused.ts';
import { writeBundle } from '../../src/attest/statements.ts';
import { verifyBundle } from '../../src/attest/verify-bundle.ts';
import { isWhole } from '../../src/store/ledger/ledger-segment.ts';
import { compiled } from '../support/compiled.ts';
import { gitIn, startRepository } from '../support/git.ts';
import { TOKENS } from '../support/goal-world.ts';
import { claim, openApprovalWorld, problemOf, write } from './approval-world.ts';
import { flipBytes } from './flipped-bytes.ts';

const execute = promisify(execFile);
const makefileWith = (recipe: string) => `test:\n\t${recipe}\n`;
const files = {
  Makefile: makefileWith('grep -q 42 answer.txt'),
  'answer.txt': '41\n',
  'notes/kept.txt': 'kept\n',
  'notes/old.txt': 'old\n',
};
const goal = {
  criteria: [{ kind: 'command' as const, command: 'make test' }],
  scope: { change: ['answer.txt'] },
  policy: { proof: 'scope' as const },
};
const scripts = {
  honest: sequence([
    write('answer.txt', '42\n'),
    write('Makefile', makefileWith('test -e answer.txt')),
    claim(),
  ]),
  adds: sequence([write('src/add.js', 'exports.add = (a, b) => a + b;\n'), claim()]),
  cheats: sequence([write('Makefile', makefileWith('test -e answer.txt')), claim()]),
  other: sequence([write('answer.txt', '142\n'), claim()]),
};

/** A Python with securesystemslib, made once for this machine; null where there is none. */
const python = ((): string | null => {
  const venv = join(tmpdir(), 'goalkeeper-test-securesystemslib');
  const program = join(venv, 'bin', 'python');
  const has = () => {
    execFileSync(program, ['-c', 'import securesystemslib.dsse, cryptography'], { stdio: 'pipe' });
    return program;
  };
  try {
    if (existsSync(program)) return has();
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'pipe' });
    const packages = ['securesystemslib', 'cryptography'];
    execFileSync(program, ['-m', 'pip', 'install', '-q', ...packages], { stdio: 'pipe' });
    return has();
  } catch {
    return null;
  }
})();

let the: Awaited<ReturnType<typeof openApprovalWorld>>;
let bench: string;
/** A goal that began in a repository, and one that began in a folder of files. */
let committed: { goalId: string; path: string };
let loose: { goalId: string; path: string };

beforeAll(async () => {
  // Without a ledger key, whoever has the bundle computes the chain of its rows.
  the = await openApprovalWorld(scripts, { isUnsealed: true });
  bench = mkdtempSync(join(tmpdir(), 'goalkeeper-bundle-'));
  committed = await complete('honest', true);
  loose = await complete('other', false);
  writeFileSync(join(bench, 'key.pem'), await the.world.client.text('/v1/proof-key'));
  for (const { goalId } of [committed, loose]) writeFileSync(fileOf(goalId), await bundle(goalId));
});
afterAll(async () => {
  await the.world.close();
  rmSync(bench, { recursive: true, force: true });
});

async function complete(name: string, isRepository: boolean) {
  const path = await the.world.workspace(files);
  if (isRepository) {
    startRepository(path);
    writeFileSync(join(path, 'notes/kept.txt'), 'not committed\n');
    rmSync(join(path, 'notes/old.txt'));
  }
  const { goalId } = await the.world.start({
    objective: `${name}: go`,
    workspace: { path },
    ...goal,
  });
  const { status } = await the.world.until(goalId, (one) => one.status !== 'active');
  expect(status).toBe('complete');
  return { goalId, path };
}

const bundle = (goalId: string) => the.world.client.text(`/v1/goals/${goalId}/proof`);
const fileOf = (goalId: string) => join(bench, `${goalId}.intoto.jsonl`);

/** The checkout on another machine: a copy, with no service and no database around. */
function elsewhere({ path }: { path: string }): string {
  const folder = mkdtempSync(join(bench, 'checkout-'));
  cpSync(path, folder, { recursive: true });
  return folder;
}

interface Said {
  readonly code: number;
  readonly json: Record<string, unknown>;
}

function verify(file: string, repo: string, ...more: string[]): Said {
  const args = [compiled('src/cli/main.ts'), 'proof', 'verify', file, '--repo', repo];
  const env = { PATH: process.env.PATH, HOME: bench, GOALKEEPER_HOME: join(bench, 'none') };
  try {
    const out = execFileSync(process.execPath, [...args, '--json', ...more], {
      env,
      stdio: 'pipe',
    });
    return { code: 0, json: JSON.parse(String(out)) as Said['json'] };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer };
    return { code: status, json: JSON.parse(String(stdout)) as Said['json'] };
  }
}

const key = () => ['--key', join(bench, 'key.pem')];

interface Changed {
  readonly file?: Buffer;
  readonly keys?: readonly KeyObject[];
  readonly folder?: string;
}

/** The same in this process; returns the code of the refusal. */
async function verified(of: { goalId: string; path: string }, change: Changed = {}) {
  const home = mkdtempSync(join(bench, 'home-'));
  const path = fileOf(of.goalId);
  const known = { file: readFileSync(path), keys: trusted(), folder: of.path };
  return await verifyBundle({ ...known, path, home, ...change });
}

const refusal = (verdict: Promise<unknown>): Promise<{ code: string; message: string }> =>
  verdict.then(
    () => Promise.reject(new Error('it passed')),
    (error: unknown) => {
      if (error instanceof BundleRefused) return { code: error.code, message: error.message };
      throw error;
    },
  );

const trusted = () => readPublicKeys(readFileSync(join(bench, 'key.pem'), 'utf8')) ?? [];
const linesOf = (goalId: string) => readFileSync(fileOf(goalId), 'utf8').trimEnd().split('\n');
const fileWith = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n`);
const predicateOf = (goalId: string) =>
  (JSON.parse(payloadOfLine(linesOf(goalId)[0] ?? '')) as { predicate: GoalProofPredicate })
    .predicate;

function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { publicKey, sign: async (bytes) => sign(null, bytes, privateKey) };
}

/** A claim that the key's owner makes and the receipts don't show. */
async function claimed(change: (predicate: GoalProofPredicate) => unknown) {
  const signer = newSigner();
  const predicate = structuredClone(predicateOf(committed.goalId));
  change(predicate);
  const file = Buffer.from(await writeBundle(signer, predicate, 'test'));
  return await refusal(verified(committed, { file, keys: [signer.publicKey] }));
}

const rowOf = (predicate: GoalProofPredicate) => {
  const row = predicate.ledger.rows.filter(isWhole).findLast(({ receipt }) => receipt?.proof);
  if (row?.receipt === undefined) throw new Error('no proof run in the segment');
  return { ...row, receipt: row.receipt, row };
};

describe('a proof that goes with the work', () => {
  test('PRF-1 is verified in a checkout elsewhere, without a service, and repeated', () => {
    const said = verify(fileOf(committed.goalId), elsewhere(committed), ...key(), '--rerun');
    expect(said).toMatchObject({
      code: 0,
      json: {
        goalId: committed.goalId,
        level: 'verified',
        besides: ['Makefile'],
        ledger: { sealed: 0 },
        rerun: [{ criterionId: 'c1', isMet: true }],
      },
    });
  });

  test('PRF-2 of a goal that began in no repository carries what others need', () => {
    const said = verify(fileOf(loose.goalId), elsewhere(loose), ...key(), '--rerun');
    expect(said).toMatchObject({ code: 0, json: { besides: [], files: 1 } });
  });

  test('PRF-3 is the same file each time, and its key is for its owner alone', async () => {
    expect(await bundle(committed.goalId)).toBe(readFileSync(fileOf(committed.goalId), 'utf8'));
    const home = the.world.environment.GOALKEEPER_HOME ?? '';
    expect(statSync(join(home, 'proof-key.pem')).mode & 0o777).toBe(0o600);
  });

  test('PRF-3 is written by the command line, and its key', async () => {
    const env = {
      ...{ PATH: process.env.PATH, HOME: bench },
      ...{ GOALKEEPER_URL: the.world.url, GOALKEEPER_TOKEN: TOKENS.viewer },
    };
    // The API answers from this process, which must not stand still meanwhile.
    const run = async (...args: string[]) => {
      const words = [compiled('src/cli/main.ts'), 'proof', ...args];
      return (await execute(process.execPath, words, { env })).stdout;
    };
    const out = join(bench, 'exported');
    expect(await run('export', committed.goalId, '--out', out)).toContain(out);
    expect(readFileSync(out, 'utf8')).toBe(readFileSync(fileOf(committed.goalId), 'utf8'));
    expect(await run('export', committed.goalId, '--out', '-')).toBe(readFileSync(out, 'utf8'));
    expect(await run('key')).toBe(readFileSync(join(bench, 'key.pem'), 'utf8'));
  });

  test('PRF-4 is not trusted without a key, and the way out is told', () => {
    const said = verify(fileOf(committed.goalId), committed.path);
    expect(said).toMatchObject({
      code: 1,
      json: { error: { code: 'key_unknown', wayOut: expect.stringContaining('proof key') } },
    });
  });

  test('PRF-5 is verified by other tools', { skip: python === null }, () => {
    const script = 'examples/verify-proof/verify_proof.py';
    const args = (folder: string) => [
      ...[script, fileOf(committed.goalId), '--key', join(bench, 'key.pem')],
      ...['--repo', folder],
    ];
    const folder = elsewhere(committed);
    expect(execFileSync(python ?? '', args(folder), { encoding: 'utf8' })).toContain('verified:');
    writeFileSync(join(folder, 'answer.txt'), '43\n');
    expect(() => execFileSync(python ?? '', args(folder), { stdio: 'pipe' })).toThrow(
      'answer.txt is another file',
    );
    const text = readFileSync(fileOf(committed.goalId), 'utf8');
    // The last digit before "==" has four bits that no byte takes.
    const otherDigit = (digit: string) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[digit] ?? digit;
    const bent = [
      text.replace('"sig":"', '"sig":"A'),
      text.replace(/([AQgw])==/, (_, digit: string) => `${otherDigit(digit)}==`),
      text.replace('":"', '": "'),
    ];
    for (const forged of bent) {
      expect(forged).not.toBe(text);
      writeFileSync(join(bench, 'forged'), forged);
      const forgedArgs = [script, join(bench, 'forged'), '--key', join(bench, 'key.pem')];
      expect(() => execFileSync(python ?? '', forgedArgs, { stdio: 'pipe' })).toThrow('refused');
    }
  });
});

describe('PRF-6 a byte that is flipped is found', () => {
  // Each of its bits at a seventh of the places; the campaign tries all.
  test('wherever it is in the file', () =>
    flipBytes(readFileSync(fileOf(committed.goalId)), trusted(), 7));
});

describe('PRF-7 a file that is not as it was written is refused', () => {
  test.each<[string, string, (lines: string[]) => readonly string[] | string]>([
    ['cut off within a line', 'unreadable', (lines) => fileWith(lines).toString().slice(0, -20)],
    ['without its last line', 'composition', (lines) => lines.slice(0, 2)],
    ['without its first line', 'composition', (lines) => lines.slice(1)],
    ['with a line twice', 'composition', (lines) => [...lines, ...lines.slice(2)]],
    ['with an envelope of another goal', 'composition', (lines) => [...lines, otherLine(0)]],
    ['with the summary of another goal', 'composition', ([a = '', b = '']) => [a, b, otherLine(2)]],
    ['with the tests of another goal', 'composition', ([a = '', , c = '']) => [a, otherLine(1), c]],
    ['in another order', 'composition', ([a = '', b = '', c = '']) => [b, a, c]],
    ['with an empty line', 'unreadable', (lines) => [...lines, '']],
    ['with a key twice', 'unreadable', twice],
    ['with spaces', 'unreadable', ([a = '', ...rest]) => [a.replace(',', ', '), ...rest]],
    ['with Windows line ends', 'unreadable', (lines) => lines.map((line) => `${line}\r`)],
    ['with a byte order mark', 'unreadable', ([a = '', ...rest]) => [`\uFEFF${a}`, ...rest]],
    ['with a second signature', 'unreadable', secondSignature],
  ])('%s', async (_, code, change) => {
    const changed = change(linesOf(committed.goalId));
    const file = typeof changed === 'string' ? Buffer.from(changed) : fileWith(changed);
    expect(await refusal(verified(committed, { file }))).toMatchObject({ code });
  });

  test('with a key twice in what is signed', async () => {
    const signer = newSigner();
    const [first = '', ...rest] = linesOf(committed.goalId).map(payloadOfLine);
    const payloads = [first.replace('"level":', '"level":"supported","level":'), ...rest];
    const lines = [];
    for (const one of payloads) lines.push(await signLine(signer, Buffer.from(one)));
    const told = await refusal(
      verified(committed, { file: fileWith(lines), keys: [signer.publicKey] }),
    );
    expect(told).toMatchObject({ code: 'unreadable', message: expect.stringContaining('twice') });
  });

  test('signed by another key', async () => {
    const { publicKey } = newSigner();
    const told = await refusal(verified(committed, { keys: [publicKey] }));
    expect(told).toMatchObject({
      code: 'key_unknown',
      message: expect.stringContaining('signed by'),
    });
  });

  test('signed by another key under the name of the trusted one', async () => {
    const [payload = '', ...rest] = linesOf(committed.goalId).map(payloadOfLine);
    const own = newSigner();
    const posing = { ...own, publicKey: trusted()[0] as KeyObject };
    const lines = [];
    for (const one of [payload.replace(/objective":"[^"]*/, 'objective":"mine'), ...rest]) {
      lines.push(await signLine(posing, Buffer.from(one)));
    }
    expect(await refusal(verified(committed, { file: fileWith(lines) }))).toMatchObject({
      code: 'signature',
    });
  });
});

const hide = (at: string) => {
  writeFileSync(join(at, '.gitignore'), 'hidden.py\n');
  writeFileSync(join(at, 'hidden.py'), 'import os\n');
};
const otherLine = (index: number) => linesOf(loose.goalId)[index] ?? '';
const twice = ([a = '', ...rest]: string[]) => [a.replace('{', '{"payload":"",'), ...rest];
const secondSignature = ([a = '', ...rest]: string[]) => [
  a.replace(/"signatures":\[(.*)\]/, '"signatures":[$1,$1]'),
  ...rest,
];

describe('PRF-8 a checkout that is not what was proven is refused, with the names', () => {
  test.each<[string, string, (folder: string) => void]>([
    ['answer.txt', 'workspace_differs', (at) => writeFileSync(join(at, 'answer.txt'), '142\n')],
    ['answer.txt', 'workspace_differs', (at) => chmodSync(join(at, 'answer.txt'), 0o755)],
    ['answer.txt', 'workspace_differs', (at) => rmSync(join(at, 'answer.txt'))],
    ['notes/kept.txt', 'workspace_differs', (at) => writeFileSync(join(at, 'notes/kept.txt'), 'x')],
    [
      'notes/old.txt',
      'workspace_differs',
      (at) => writeFileSync(join(at, 'notes/old.txt'), 'old\n'),
    ],
    ['helper.py', 'workspace_differs', (at) => writeFileSync(join(at, 'helper.py'), 'import os\n')],
    ['hidden.py', 'workspace_differs', hide],
    ['.gitignore', 'workspace_differs', (at) => writeFileSync(join(at, '.gitignore'), '*\n')],
    ['linked', 'workspace_differs', (at) => symlinkSync('/etc', join(at, 'linked'))],
    ['commit', 'base_missing', (at) => rmSync(join(at, '.git'), { recursive: true })],
  ])('%s: %s', async (name, code, change) => {
    const folder = elsewhere(committed);
    change(folder);
    const told = await refusal(verified(committed, { folder }));
    expect(told).toMatchObject({ code, message: expect.stringContaining(name) });
  });

  test('the bundle of another goal says nothing about it', async () => {
    expect(await refusal(verified(committed, { folder: loose.path }))).toMatchObject({
      code: 'base_missing',
    });
    expect(await refusal(verified(loose, { folder: committed.path }))).toMatchObject({
      code: 'workspace_differs',
    });
  });
});

describe('PRF-9 a claim that its receipts do not show is refused, whoever signs it', () => {
  test.each<[string, string, (predicate: GoalProofPredicate) => unknown]>([
    [
      'an edited receipt',
      'ledger_chain',
      (one) => Object.assign(rowOf(one).receipt, { exitCode: 1 }),
    ],
    ['a row less', 'ledger_chain', ({ ledger }) => ledger.rows.splice(-1)],
    ['another head', 'ledger_chain', ({ ledger }) => Object.assign(ledger.head, { hash: 'x' })],
    [
      'a receipt that is not in it',
      'inconsistent',
      ({ criteria }) => criteria[0]?.receipts.push(999),
    ],
    [
      'another command',
      'inconsistent',
      ({ criteria }) => Object.assign(criteria[0]?.spec ?? {}, { command: 'make all' }),
    ],
    [
      'another exit code',
      'inconsistent',
      ({ criteria }) => Object.assign(criteria[0]?.spec ?? {}, { expectExit: 2 }),
    ],
    [
      'an unmet criterion',
      'inconsistent',
      ({ criteria }) => Object.assign(criteria[0] ?? {}, { state: 'unmet' }),
    ],
    [
      'a guard alone',
      'inconsistent',
      ({ criteria }) => Object.assign(criteria[0] ?? {}, { baseline: 'met' }),
    ],
    ['no proof run', 'inconsistent', ({ proof }) => Object.assign(proof, { criteria: [] })],
    ['another tree', 'inconsistent', ({ proof }) => Object.assign(proof, { tree: '0'.repeat(40) })],
    [
      'a file beyond the scope',
      'inconsistent',
      ({ proof }) => Object.assign(proof.scope, { change: ['src/**'] }),
    ],
    ['a grant that nobody gave', 'inconsistent', ({ proof }) => proof.accepted.push('answer.txt')],
    [
      'a place beside the checkout',
      'inconsistent',
      ({ base }) =>
        'files' in base &&
        base.files.push({ path: '../beside', mode: '100644', object: '0'.repeat(40) }),
    ],
    ['its own judge', 'inconsistent', ({ proof }) => Object.assign(proof, { selfChecked: true })],
    ['a lower level', 'not_verified', (one) => Object.assign(one, { level: 'supported' })],
    ['another original', 'base_differs', ({ base }) => Object.assign(base, { gone: [] })],
  ])('%s', async (_, code, change) => {
    expect(await claimed(change)).toMatchObject({ code });
  });
});

describe('PRF-10 a proof is attached', () => {
  test('to the commit whose tree was proven, byte for byte, and once', async () => {
    const { tree } = predicateOf(committed.goalId).proof;
    const folder = elsewhere(committed);
    await expect(attachNote(folder, 'x', tree)).rejects.toMatchObject({
      message: expect.stringContaining(tree),
      wayOut: expect.stringContaining('Commit the proven files'),
    });
    const git = gitIn(folder);
    git('config', 'user.name', 't');
    git('config', 'user.email', 't@t');
    git('checkout', '-q', 'Makefile');
    git('add', '-A');
    git('commit', '-q', '-m', 'proven');
    const text = readFileSync(fileOf(committed.goalId), 'utf8');
    const commit = git('rev-parse', 'HEAD');
    expect(await attachNote(folder, text, tree)).toEqual({ commit, isNew: true });
    expect(git('notes', '--ref=goalkeeper-proof', 'show', commit)).toBe(text.trim());
    expect(await attachNote(folder, text, tree)).toEqual({ commit, isNew: false });
    await expect(attachNote(folder, 'other', tree)).rejects.toThrow('another proof');
    const verdict = await verified(committed, { folder });
    expect(verdict.besides).toEqual([]);
  });
});

test('ROW-38 a check that holds on the original as well is found by a rerun, whoever signs it', async () => {
  const guard = { kind: 'command' as const, command: 'test -f Makefile' };
  const asked = { ...goal, criteria: [...goal.criteria, guard] };
  const { goalId, path } = await the.open('honest', asked, files);
  await the.world.until(goalId, ({ status }) => status === 'complete');
  writeFileSync(fileOf(goalId), await bundle(goalId));
  const honest = verify(fileOf(goalId), elsewhere({ path }), ...key(), '--rerun');
  expect(honest).toMatchObject({ code: 0, json: { rerun: [{ isMet: true }, { isMet: true }] } });
  const signer = newSigner();
  const predicate = structuredClone(predicateOf(goalId));
  Object.assign(predicate.criteria[1] ?? {}, { baseline: 'unmet' });
  const [file, trust] = [join(bench, 'guard'), join(bench, 'guard.pem')];
  writeFileSync(file, await writeBundle(signer, predicate, 'test'));
  writeFileSync(trust, signer.publicKey.export({ type: 'spki', format: 'pem' }));
  expect(verify(file, elsewhere({ path }), '--key', trust)).toMatchObject({ code: 0 });
  expect(verify(file, elsewhere({ path }), '--key', trust, '--rerun')).toMatchObject({
    code: 1,
    json: { error: { code: 'rerun_failed' } },
  });
});

test('PRF-1 is repeated with the names of its tests and with canaries', async () => {
  const { goalId, path } = await the.open(
    'adds',
    {
      criteria: [{ kind: 'command', command: 'node --test' }],
      scope: { change: ['src/**'] },
      policy: { proof: 'scope' },
    },
    {
      'src/add.js': 'exports.add = () => 0;\n',
      'test/add.test.js': [
        "const test = require('node:test');",
        "const assert = require('node:assert');",
        "const { add } = require('../src/add.js');",
        "test('adds', () => assert.strictEqual(add(1, 2), 3));",
        "test('is a function', () => assert.ok(add));",
      ].join('\n'),
    },
  );
  await the.world.until(goalId, ({ status }) => status === 'complete');
  writeFileSync(fileOf(goalId), await bundle(goalId));
  expect(predicateOf(goalId).proof.criteria).toMatchObject([
    { tests: { before: 2, now: 2 }, canaries: { state: 'held' } },
  ]);
  const said = verify(fileOf(goalId), elsewhere({ path }), ...key(), '--rerun');
  expect(said).toMatchObject({
    code: 0,
    json: { rerun: [{ criterionId: 'c1', isMet: true, tests: 2, canaries: 'held' }] },
  });
});

test('PRF-2 of a change beyond the scope tells who accepted it', async () => {
  const { goalId, path } = await the.open('cheats', goal, files);
  await the.decide(await the.asked(goalId), 'approve', 'It may.');
  await the.world.until(goalId, ({ status }) => status === 'complete');
  writeFileSync(fileOf(goalId), await bundle(goalId));
  const { proof, approvals } = predicateOf(goalId);
  expect(proof.accepted).toEqual(['Makefile']);
  expect(approvals).toMatchObject([
    { kind: 'basis', state: 'approved', note: 'It may.', changes: ['Makefile'] },
  ]);
  expect(await verified({ goalId, path })).toMatchObject({ level: 'verified', besides: [] });
});

test('PRF-11 only a completion that was proven can be exported', async () => {
  const { goalId } = await the.open('honest', { criteria: [], scope: goal.scope }, {});
  await the.world.until(goalId, ({ status }) => status !== 'active');
  expect(await problemOf(bundle(goalId))).toMatchObject({ code: 'invalid_transition' });
});
