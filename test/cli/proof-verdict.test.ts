import { generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { payloadOfLine, type Signer } from '../../src/attest/dsse.ts';
import { writeBundle } from '../../src/attest/statements.ts';
import type { Held } from '../../src/attest/verify-bundle.ts';
import { failureLines } from '../../src/cli/failure-text.ts';
import { lookOf } from '../../src/cli/screen/look.ts';
import { heldLines, refusalLines, verifiedLines } from '../../src/cli/verdict-text.ts';
import { openCheckBench, RIGHT } from '../check/check-ground.ts';
import { start } from './command-line.ts';

const bench = openCheckBench();
const bundle = join(bench.bench, 'proof.jsonl');
const key = `${bundle}.pem`;
let folder = '';
let predicate: GoalProofPredicate;

beforeAll(async () => {
  folder = await bench.repository({ 'src/greet.sh': RIGHT, 'notes.md': 'beside\n' });
  await bench.check(folder, { bundle }, { CI: 'true' });
  const [first = ''] = readFileSync(bundle, 'utf8').split('\n');
  ({ predicate } = JSON.parse(payloadOfLine(first)) as { predicate: GoalProofPredicate });
});
afterAll(bench.close);

const verify = (repo: string, file = bundle, pem = key, ...more: string[]) =>
  start(['proof', 'verify', file, '--key', pem, '--repo', repo, ...more]).done;

/** The checkout with another file in it. */
function strange(): string {
  const other = join(bench.bench, 'strange');
  cpSync(folder, other, { recursive: true });
  writeFileSync(join(other, 'src/greet.sh'), 'echo "Bye"\n');
  return other;
}

/** What the key's owner claims besides. */
async function claimed(change: Partial<GoalProofPredicate>) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signer: Signer = { publicKey, sign: async (bytes) => sign(null, bytes, privateKey) };
  const [file, pem] = [join(bench.bench, 'claimed'), join(bench.bench, 'claimed.pem')];
  writeFileSync(file, await writeBundle(signer, { ...predicate, ...change }, 'test'));
  writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }));
  return { file, pem };
}

describe('proof verify', () => {
  test('TERM-56 tells line by line what held, and what was checked', async () => {
    const { exitCode, out, err } = await verify(folder);
    expect([exitCode, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe(`◆ ${predicate.goal.goalId}  ${predicate.goal.objective}`);
    const proven = predicate.proof.files.length;
    const wanted = [
      /^✔ signature {3}ed25519:[0-9a-f]{64}, a key that you trust$/,
      new RegExp(
        `^✔ files {7}${proven} of ${proven} hashes as in this checkout \\([0-9a-f]{7} \\+`,
      ),
      /^✔ ledger {6}\d+ rows?, chain whole, head \S+; \d+ recomputed here/,
      /^ {2}checked by {2}the criteria alone/,
      /^ {2}felt {8}1 of 1 changed file$/,
      /^ {2}beyond {6}1 file, the proof needs none: notes\.md$/,
      /^✔ verified {4}1 of 1 criterion unmet → met, in a clean place \(isolation (full|partial|none)\)/,
      /^ {4}c1 {8}command sh test\/run.sh$/,
      /^ {2}Not repeated here\. .*add --rerun/,
    ];
    expect(lines.slice(1)).toEqual(wanted.map((one) => expect.stringMatching(one)));
  });

  test('TERM-56 the first fault ends it: what differs, why, the way out, and exit 1', async () => {
    const files = await verify(strange());
    expect(files.exitCode).toBe(1);
    expect(files.out).toMatch(/✔ signature[\s\S]*✔ ledger/);
    expect(files.out).not.toMatch(/✔ (files|verified)/);
    expect(files.err).toMatch(
      /^✖ files {7}refused \(workspace_differs\): .*src\/greet\.sh\n {2}way out {5}\S/,
    );
    const other = await claimed({});
    const signature = await verify(folder, other.file);
    expect([signature.exitCode, signature.out]).toEqual([1, '']);
    expect(signature.err).toMatch(/^✖ signature {3}refused \(key_unknown\): /);
    const json = await verify(folder, other.file, key, '--json');
    expect([json.exitCode, JSON.parse(json.out)]).toMatchObject([
      1,
      { error: { code: 'key_unknown', wayOut: expect.any(String) } },
    ]);
  });

  test('TERM-57 what is genuine and not proven holds for a person: exit 4, and no green line', async () => {
    const { file, pem } = await claimed({ level: 'supported' });
    const { exitCode, out, err } = await verify(folder, file, pem);
    expect([exitCode, err]).toEqual([4, '']);
    expect(out).toMatch(
      /✔ files[\s\S]*\n‖ holds, waits for a person\n {2}The host did not prove it: level supported\./,
    );
    expect(out).not.toContain('✔ verified');
    const json = await verify(folder, file, pem, '--json');
    expect([json.exitCode, JSON.parse(json.out)]).toMatchObject([
      4,
      { error: { code: 'not_verified' } },
    ]);
    // Whatever its level, another checkout is no proof's.
    expect(await verify(strange(), file, pem)).toMatchObject({ exitCode: 1 });
  });

  test('TERM-58 words of others neither steer the terminal nor are wider than it', () => {
    const hostile = '\u001b]8;;http://x\u0007\u001b[2J\u202Eevil\u0000\u200B 漢字漢字 ';
    const name = (at: number) => `${hostile.repeat(3)}${at}`;
    const names = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(name);
    const wild: GoalProofPredicate = {
      ...predicate,
      goal: { ...predicate.goal, objective: hostile.repeat(9) },
      criteria: predicate.criteria.map((one) => ({
        ...one,
        spec: { kind: 'command', command: hostile.repeat(9) },
      })),
      proof: { ...predicate.proof, beyondScope: names, accepted: names },
    };
    const held: Required<Held> = {
      signature: { keyId: 'a'.repeat(64), predicate: wild },
      ledger: { recomputed: 2, sealed: 1 },
      files: { besides: names, unkept: names },
    };
    const rerun = [
      { criterionId: 'c1', isMet: true, reason: hostile, tests: 3, canaries: 'held' },
    ].map((one) => ({ ...one, isolation: 'full' as const }));
    const refusal = (code: 'workspace_differs' | 'not_verified') =>
      ({ code, message: hostile.repeat(5), wayOut: 'Look.' }) as const;
    for (const width of [60, 100, 120]) {
      for (const look of [lookOf(width), lookOf(width, undefined, true)]) {
        const lines = [
          ...heldLines(held, 'ed25519', look),
          ...verifiedLines(held, rerun, look),
          ...verifiedLines(held, null, look),
          ...refusalLines(held, refusal('workspace_differs'), look),
          ...refusalLines(held, refusal('not_verified'), look),
        ];
        for (const one of lines) {
          expect(one).not.toMatch(/(?! )[\p{C}\p{Zl}\p{Zp}]/u);
          expect(stringWidth(one), one).toBeLessThanOrEqual(width);
        }
      }
    }
    const narrow = heldLines(held, 'ed25519', lookOf(60)).join('\n');
    expect(narrow).toContain('ed25519:aaaaaaaa,');
  });

  test('TERM-58 two names stand in a narrow line, and ASCII has signs of its own', () => {
    const held: Required<Held> = {
      signature: { keyId: 'a'.repeat(64), predicate },
      ledger: { recomputed: 2, sealed: 0 },
      files: { besides: [], unkept: ['a', 'b', 'c', 'd'] },
    };
    const shown = verifiedLines(held, null, lookOf(60)).join('\n');
    expect(shown).toContain('in no proof a, b and 2 more');
    const ascii = [
      ...heldLines(held, 'ed25519', lookOf(60, undefined, true)),
      ...verifiedLines(held, null, lookOf(60, undefined, true)),
    ];
    expect(ascii.join('\n')).toMatch(/^[\n\x20-\x7e]+$/);
    expect(ascii.filter((one) => one.startsWith('[x]'))).toHaveLength(4);
  });
});

describe('an error at the terminal', () => {
  const failure = {
    what: `not_found: There is no goal g-7f3a9c0123456789 in the workspace ${'shop '.repeat(30)}`,
    field: 'goalId',
    wayOut: 'Look at the list: "goalkeeper list" shows the goals that there are, newest first.',
  };

  test.each([[32], [60], [100]])('TERM-59 is broken between words at %i columns', (width) => {
    const lines = failureLines(failure, lookOf(width));
    for (const one of lines) expect(stringWidth(one)).toBeLessThanOrEqual(width);
    const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
    const said = `goalkeeper: ${failure.what} field: ${failure.field} way out: ${failure.wayOut}`;
    expect(lines.flatMap(words)).toEqual(words(said));
    expect(lines.slice(1).every((one) => one.startsWith('  '))).toBe(true);
  });

  test('TERM-59 and stays one line in a file', () => {
    const lines = failureLines(failure, { ...lookOf(60), isFile: true });
    expect(lines).toEqual([
      `goalkeeper: ${failure.what}`,
      '  field:   goalId',
      `  way out: ${failure.wayOut}`,
    ]);
  });
});
