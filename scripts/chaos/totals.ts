import type { Tally } from '../../test/chaos/tally.ts';

const DEATHS = ['worker', 'api', 'temporal', 'postgres'] as const;
const WRONG = ['lost', 'doubled', 'stuck', 'overspent'] as const;
const STRUCK = ['frozen', 'silent', 'full'] as const;
const NUMBERS = ['rounds', ...DEATHS, ...STRUCK, 'looked', ...WRONG, 'unfinished'] as const;

/** A play's sums over all rounds. */
export interface Total {
  readonly play: string;
  readonly sums: Readonly<Record<(typeof NUMBERS)[number], number>>;
  /** Day and commit of the newest round. */
  readonly last: string;
}

export interface SeenPlay {
  readonly play: string;
  /** Null where it broke before it had counted. */
  readonly told: Tally | null;
  readonly isWhole: boolean;
  readonly day: string;
  readonly commit: string;
}

const NONE = Object.fromEntries(NUMBERS.map((name) => [name, 0])) as Total['sums'];

/** A round that broke counts as unfinished, whatever it had counted until then. */
export function addPlay(totals: readonly Total[], seen: SeenPlay): Total[] {
  const { play, told, isWhole, day, commit } = seen;
  const before = totals.find((total) => total.play === play)?.sums ?? NONE;
  const now: Total['sums'] = {
    ...NONE,
    rounds: 1,
    ...Object.fromEntries(DEATHS.map((name) => [name, told?.deaths[name] ?? 0])),
    ...Object.fromEntries(STRUCK.map((name) => [name, told?.[name] ?? 0])),
    looked: told?.looked ?? 0,
    ...Object.fromEntries(
      WRONG.map((name) => [name, told?.wrong.filter((wrong) => wrong === name).length ?? 0]),
    ),
    unfinished: isWhole ? 0 : 1,
  };
  const sums = Object.fromEntries(
    NUMBERS.map((name) => [name, before[name] + now[name]]),
  ) as Total['sums'];
  const added = { play, sums, last: `${day}, ${commit}` };
  return totals.some((total) => total.play === play)
    ? totals.map((total) => (total.play === play ? added : total))
    : [...totals, added];
}

const HEAD = `| play | ${NUMBERS.join(' | ')} | last |`;
const RULE = `|---|${NUMBERS.map(() => '--:').join('|')}|---|`;

export function readTotals(text: string): Total[] {
  const rows = tableIn(text).slice(2);
  return rows.map((row) => {
    const [play = '', ...cells] = row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1);
    const numbers = cells.slice(0, NUMBERS.length).map(Number);
    const sums = Object.fromEntries(NUMBERS.map((name, at) => [name, numbers[at] ?? 0]));
    return { play, sums: sums as Total['sums'], last: cells.at(-1) ?? '' };
  });
}

/** The text with its table replaced. */
export function writeTotals(text: string, totals: readonly Total[]): string {
  const rows = totals.map(
    ({ play, sums, last }) =>
      `| ${play} | ${NUMBERS.map((name) => sums[name]).join(' | ')} | ${last} |`,
  );
  return text.replace(tableIn(text).join('\n'), [HEAD, RULE, ...rows].join('\n'));
}

/** @throws where the text has no such table: nothing is added up then */
function tableIn(text: string): string[] {
  const lines = text.split('\n');
  const first = lines.indexOf(HEAD);
  if (first === -1) throw new Error(`no line "${HEAD}"`);
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first, length === -1 ? undefined : first + length);
}
