import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MatchKind, matchCommand } from '../../src/shell/compare/match.ts';
import { loadShellParser } from '../../src/shell/read/parse.ts';
import { driftRows } from './rows/drift.ts';
import { maskRows } from './rows/masks.ts';
import { narrowingRows } from './rows/narrowing.ts';
import { tamperingRows } from './rows/tampering.ts';
import { wrapperRows } from './rows/wrappers.ts';

const shell = { parse: await loadShellParser(), workspace: '/srv/space' };
const kindOf = (cited: string, ran: string): MatchKind =>
  matchCommand({ command: cited }, { command: ran }, shell).kind;

const allRows = [...driftRows, ...wrapperRows, ...maskRows, ...narrowingRows, ...tamperingRows];
const oneLine = allRows.filter(([, ran]) => !/[\n#]/.test(ran));
const row = fc.constantFrom(...oneLine);

/** Spellings that mean the same to the shell. */
const dress = fc.constantFrom<(line: string) => string>(
  (line) => `${line} # note`,
  (line) => `  ${line}  `,
  (line) => `( ${line} )`,
  (line) => `{ ${line}\n}`,
  (line) => `cd . && { ${line}\n}`,
  (line) => `cd /srv/space && ( ${line} )`,
  (line) => `echo start; ${line}`,
  (line) => `# before\n${line}`,
);

/** Endings after which a failure would no longer show. */
const mask = fc.constantFrom<(line: string) => string>(
  (line) => `( ${line} ) || true`,
  (line) => `( ${line} ) || echo failed`,
  (line) => `( ${line} )\ntrue`,
  (line) => `( ${line} ); exit 0`,
  (line) => `( ${line} ) &`,
  (line) => `! ( ${line} )`,
  (line) => `if ( ${line} ); then :; fi`,
  (line) => `while false; do ( ${line} ); done`,
  (line) => `for f in $(ls); do ( ${line} ); done`,
  (line) => `set +o pipefail; ( ${line} ) | cat`,
  (line) => `set -n; ${line}`,
  (line) => `out=$( ( ${line} ) ); echo done`,
  (line) => `trap 'exit 0' EXIT; ${line}`,
);

const proven = oneLine.filter(([, , kind]) => kind === 'proves');

describe('properties', () => {
  it('keep their verdict in another dress: comments, groups, a cd to the same folder (R7)', () => {
    fc.assert(
      fc.property(row, dress, ([cited, ran, kind], wear) => {
        // Leaving by exit or exec inside of a group is another line.
        fc.pre(!/\b(exit|exec|return)\b|&$/.test(ran));
        expect([wear(ran), kindOf(cited, wear(ran))]).toEqual([wear(ran), kind]);
      }),
      { numRuns: 400 },
    );
  });

  it('never prove anything once masked (R38)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...proven), mask, ([cited, ran], cover) => {
        // A loop until it passes ends in no other way.
        fc.pre(!cited.startsWith('!') && !ran.startsWith('until'));
        expect([cover(ran), kindOf(cited, cover(ran))]).not.toEqual([cover(ran), 'proves']);
      }),
      { numRuns: 400 },
    );
  });

  it('don’t depend on quotes or on the order of flags (R7)', () => {
    const flags = ['--alpha', '--beta=2', '-v', '--gamma three'];
    const line = fc.shuffledSubarray(flags, { minLength: 4 }).map((some) => some.join(' '));
    const quote = fc.constantFrom('"', "'", '');
    fc.assert(
      fc.property(line, line, quote, (cited, ran, mark) => {
        const run = `./check.sh ${ran}`.replace('three', `${mark}three${mark}`);
        expect(kindOf(`./check.sh ${cited}`, run)).toBe('proves');
        expect(kindOf(`./check.sh ${cited}`, run.replace('three', 'four'))).toBe('different');
      }),
    );
  });

  it('never throw and never prove a check by text that doesn’t hold it', () => {
    const pieces = fc.constantFrom(
      ...['a', 'b c', '&&', '||', ';', '|', '(', ')', '!', 'if', 'then', 'fi', '"', "'", '`', '$('],
      ...['<<EOF', '\n', '#', '\\', '{', '}', 'for x in y; do', 'done', 'eval', 'trap', '&', '>'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
        expect(kindOf('npm test', some.join(' '))).not.toBe('proves');
      }),
      { numRuns: 500 },
    );
  });
});
