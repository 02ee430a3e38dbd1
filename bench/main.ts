import { cpus, release, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureConsoleLists } from './console-lists.ts';
import { measureConsoleHeap, measureConsolePages } from './console-pages.ts';
import { measureCrowd } from './crowd.ts';
import { measureFingerprint } from './fingerprint.ts';
import { measureGoalsSearch } from './goals-search.ts';
import { measureHistory } from './history.ts';
import { measureLedgerSearch } from './ledger-search.ts';
import { measurePause } from './pause.ts';
import { measurePaused } from './paused.ts';
import { measureProof } from './proof.ts';
import { measureRecovery, measureTakeover } from './recovery.ts';
import { measureStart } from './start.ts';
import { median, round } from './statistics.ts';
import { measureSteps } from './steps.ts';
import { measureTurns } from './turns.ts';
import { measureWaiting } from './waiting.ts';

type Figures = Readonly<Record<string, number | string | undefined>>;

const SCENARIOS: Readonly<Record<string, () => Promise<Figures>>> = {
  steps: () => measureSteps(Number(values.steps)),
  turns: measureTurns,
  crowd: () => measureCrowd({ stepsEach: Number(values.crowd) }),
  'crowd-two-workers': () => measureCrowd({ workers: 2 }),
  start: measureStart,
  recovery: () => measureRecovery(),
  takeover: () => measureTakeover(),
  pause: () => measurePause(),
  paused: () => measurePaused(),
  waiting: () => measureWaiting({ goals: Number(values.waiting) }),
  proof: () => measureProof(10_000),
  // The most files that a proof has are 100,000.
  'proof-100000': () => measureProof(99_960),
  fingerprint: () => measureFingerprint(),
  'ledger-search': () => measureLedgerSearch(),
  'console-lists': () => measureConsoleLists(),
  'goals-search': () => measureGoalsSearch(),
  'console-pages': () => measureConsolePages(),
  'console-heap': () => measureConsoleHeap(),
  history: () => measureHistory(),
};

/** `tsx bench/main.ts [--runs N] [--steps N] [--crowd N] [--waiting N] [scenario …]`; needs `npm run build` before. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '1' },
    steps: { type: 'string', default: '5000' },
    crowd: { type: 'string', default: '200' },
    waiting: { type: 'string', default: '2000' },
  },
});

const [processor] = cpus();
console.log(
  `${new Date().toISOString().slice(0, 16)} · ${cpus().length} × ${processor?.model} · ` +
    `${Math.round(totalmem() / 1e9)} GB · Linux ${release()} · Node ${process.version}`,
);
const chosen = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
for (const name of chosen) {
  const measure = SCENARIOS[name];
  if (measure === undefined) throw new Error(`there is no measurement "${name}"`);
  const runs: Figures[] = [];
  for (let run = 0; run < Number(values.runs); run += 1) runs.push(await measure());
  console.log(table(name, runs));
}
process.exit(0);

/** One row a figure: every run, and the median where there are several. */
function table(name: string, runs: readonly Figures[]): string {
  const isOne = runs.length === 1;
  const heads = isOne ? ['figure'] : [...runs.map((_, run) => `run ${run + 1}`), 'median'];
  const rows = Object.keys(runs[0] ?? {}).map((figure) => {
    const cells = runs.map((run) => run[figure]);
    const numbers = cells.filter((cell) => typeof cell === 'number');
    const middle = numbers.length === runs.length ? round(median(numbers)) : '';
    return `| ${[figure, ...cells, ...(isOne ? [] : [middle])].join(' | ')} |`;
  });
  return [
    `\n### ${name}`,
    `| | ${heads.join(' | ')} |`,
    `|---|${heads.map(() => '---|').join('')}`,
    ...rows,
  ].join('\n');
}
