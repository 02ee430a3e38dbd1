import type { GoalArchive } from './archive/goal-archive.ts';
import { broken, wrapped } from './screen/fit.ts';
import { inAscii, type Look } from './screen/look.ts';
import { oneLine } from './terminal.ts';

/** What the file is, and what can be said of it without the service that it came from. */
export function archiveLines(archive: GoalArchive, look: Look): string[] {
  const { header, rows, walked, chain, missing, turns } = archive;
  const words: [name: string, text: string][] = [
    [
      'archive',
      `${counted(turns.length, 'turn')} and ${counted(rows.length, 'row')}, written ${header.at} by Goalkeeper ${header.by}; nobody signed it`,
    ],
    ...(walked === null
      ? []
      : ([
          [
            'ledger',
            `chain whole, head ${rows.at(-1)?.hash.slice(0, 12)}; ${walked.recomputed} rows recomputed here${walked.sealed === 0 ? '' : `, ${walked.sealed} sealed by the installation`}${saidThen(chain)}`,
          ],
        ] as const)),
    ...missing.slice(0, MOST).map(({ of, why }) => ['missing', `${of}: ${why}`] as const),
    ...(missing.length > MOST ? [['missing', `${missing.length - MOST} parts more`] as const] : []),
  ].map(([name = '', text = '']) => [name, text]);
  const lines = words.flatMap(([name, text]) => {
    const [first = '', ...more] = wrapped(oneLine(text, 600), broken(look, INDENT));
    return [name.padEnd(INDENT) + first, ...more.map((one) => ' '.repeat(INDENT) + one)];
  });
  return lines.map((text) => look.paint.dim(look.isAscii ? inAscii(text) : text));
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

const MOST = 5;
const INDENT = 9;

function saidThen(chain: GoalArchive['chain']): string {
  if (chain === null) return '';
  if (chain.holds) return '; the service said that it holds';
  return `; the service said: ${chain.problem ?? 'it does not hold'}`;
}
