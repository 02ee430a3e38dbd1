import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMasker } from '../../../src/secrets/masker.ts';
import type { Effects } from '../../../src/workspace/helper/client.ts';
import { LiveTail } from '../../../src/workspace/helper/live-tail.ts';
import { maskEffects } from '../../../src/workspace/helper/masked.ts';

const LINES = Array.from({ length: 40 }, (_, at) => `line-${at}-of-a-secret-ü${at * 7919}`);
const SECRET = LINES.join('\n');
const mask = createMasker({}, [SECRET]);

type Command = Parameters<Effects['runCommand']>[0];

/** What a watcher sees of an output that comes in such pieces, and is told at such moments. */
async function shownOf(pieces: readonly Buffer[], isTold: (at: number) => boolean) {
  const shown: string[] = [];
  const tail = new LiveTail();
  const runCommand = async ({ onOutput }: Pick<Command, 'onOutput'>) => {
    const tell = () => {
      const piece = tail.take();
      if (piece !== null) onOutput?.(piece.text, piece.skipped);
    };
    for (const [at, piece] of pieces.entries()) {
      tail.add(piece);
      if (isTold(at)) tell();
    }
    tell();
    return { output: new Uint8Array() };
  };
  const effects = maskEffects({ runCommand } as unknown as Effects, mask);
  const onOutput = (text: string) => void shown.push(text);
  await effects.runCommand({ onOutput } as unknown as Command);
  return shown;
}

function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

test('nothing of a secret is shown live, wherever an output is cut and skipped', async () => {
  const filler = fc
    .integer({ min: 0, max: 40_000 })
    .map((size) => 'some words\n'.repeat(size / 11));
  await fc.assert(
    fc.asyncProperty(
      fc.array(filler, { minLength: 1, maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 30 }),
      async (between, sizes, rarely) => {
        const bytes = Buffer.from(`${between.join(`${SECRET}\n`)}end\n`);
        const shown = await shownOf(inPieces(bytes, sizes), (at) => at % rarely === 0);
        const text = shown.join('');
        for (const line of LINES) expect(text).not.toContain(line.slice(5));
        expect(text.endsWith('end\n')).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('an output that comes slowly is shown whole, and of a flood its end', async () => {
  const slow = inPieces(Buffer.from(`${'ü'.repeat(500)}\n`), [333]);
  expect((await shownOf(slow, () => true)).join('')).toBe(`${'ü'.repeat(500)}\n`);
  const flood = Buffer.from('word word\n'.repeat(100_000));
  const [shown = ''] = await shownOf([flood], () => true);
  expect(shown.length).toBeGreaterThan(15_000);
  expect(shown.length).toBeLessThan(17_000);
});
