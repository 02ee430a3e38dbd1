import { cpus } from 'node:os';
import { quantile, round } from '../statistics.ts';
import { NOBODYS_MONEY, type Outcome, type Overshoot } from './audit.ts';

const sum = (outcomes: readonly Outcome[], pick: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + pick(outcome), 0);

/** Goals that went past what docs/budget.md states. */
export function beyondBound(outcomes: readonly Outcome[]): Outcome[] {
  const isBeyond = (overshoot: Overshoot | null) =>
    overshoot !== null && overshoot.over > overshoot.bound + NOBODYS_MONEY;
  return outcomes.filter(
    ({ tokens, cost, turns, isUnreserved }) =>
      isUnreserved || isBeyond(tokens) || isBeyond(cost) || (turns ?? 0) > 1,
  );
}

export function hasFailed(outcomes: readonly Outcome[]): boolean {
  const isWrong = ({ doubled, lost, miscounted, ended }: Outcome) =>
    doubled + lost + miscounted > 0 || !ended.startsWith('budget_limited/');
  return beyondBound(outcomes).length > 0 || outcomes.some(isWrong);
}

export function renderTotals(outcomes: readonly Outcome[], seconds: number): string {
  return [
    '| | goals | p50 | p99 | max | most that the bound allowed |',
    '|---|---|---|---|---|---|',
    row('tokens over the limit', outcomes, ({ tokens }) => tokens, 0),
    row('dollars over the limit', outcomes, ({ cost }) => cost, 6),
    row('turns over the limit', outcomes, ({ turns }) => plain(turns, 1), 0),
    row('active seconds over the limit', outcomes, (one) => plain(one.seconds, null), 2),
    '',
    '| | count |',
    '|---|---|',
    `| goals | ${outcomes.length} |`,
    `| model calls | ${sum(outcomes, ({ calls }) => calls)} |`,
    `| answers cut off where the budget ended | ${sum(outcomes, ({ cutCalls }) => cutCalls)} |`,
    `| **beyond the stated bound** | **${beyondBound(outcomes).length}** |`,
    `| **double charges** | **${sum(outcomes, ({ doubled }) => doubled)}** |`,
    `| **lost charges** | **${sum(outcomes, ({ lost }) => lost)}** |`,
    `| totals that are not the sum of their rows | ${sum(outcomes, ({ miscounted }) => miscounted)} |`,
    `| goals with more than one wrap-up call that was paid | ${outcomes.filter((one) => one.wrapUpCalls > 1).length} |`,
    `| seconds for all of them | ${seconds} |`,
    '',
    '| ended as | goals |',
    '|---|---|',
    ...[...new Set(outcomes.map(({ ended }) => ended))]
      .toSorted()
      .map((ended) => `| ${ended} | ${outcomes.filter((one) => one.ended === ended).length} |`),
  ].join('\n');
}

const plain = (
  over: number | null,
  bound: number | null,
): { over: number; bound: number } | null =>
  over === null ? null : { over, bound: bound ?? Number.NaN };

function row(
  name: string,
  outcomes: readonly Outcome[],
  pick: (outcome: Outcome) => Overshoot | null,
  digits: number,
): string {
  const measured = outcomes.map(pick).filter((overshoot) => overshoot !== null);
  if (measured.length === 0) return `| ${name} | 0 | – | – | – | – |`;
  const over = measured.map((overshoot) => overshoot.over);
  const bound = Math.max(...measured.map((overshoot) => overshoot.bound));
  const cells = [quantile(over, 0.5), quantile(over, 0.99), Math.max(...over)];
  const shown = [...cells, bound].map((value) =>
    Number.isNaN(value) ? '–' : round(value, digits).toFixed(digits),
  );
  return `| ${[name, measured.length, ...shown].join(' | ')} |`;
}

export function renderDocument(outcomes: readonly Outcome[], seconds: number, seed: number) {
  const kind = process.platform === 'linux' ? 'Linux' : process.platform;
  const node = process.version.slice(1).split('.')[0];
  const date = new Date().toISOString().slice(0, 10);
  return `${[
    ...BOUND,
    '',
    '## Measured',
    '',
    `Written by \`npm run bench:budget\` (seed ${seed}) on ${date}, ${cpus().length} shared cores, ${kind}, Node ${node}.`,
    ...MEASURED,
    '',
    renderTotals(outcomes, seconds),
  ].join('\n')}\n`;
}

const BOUND = [
  '# How far a goal can go over its budget',
  '',
  'Before each model call its worst case is reserved: the estimated input (tokenizer × 1.1) and the',
  'output that the provider is told to stop at. The cap is what is left of tokens and of money, less',
  '2,000 output tokens that are held back for the wrap-up. So the only thing that a call can take',
  'beyond its reservation is input that the provider counts higher than the estimate.',
  '',
  '| limit | a goal ends at most this far above it |',
  '|---|---|',
  '| `tokens` | (input of the last ordinary call − its estimate, where that is positive) + the input of the wrap-up call |',
  "| `costUsd` | the same tokens at the price of uncached input (of writing it to the provider's cache, where that is dearer); where the fallback model writes the wrap-up, its output at that price, too |",
  '| `turns` | 1: the wrap-up turn is counted and not refused |',
  '| `activeSeconds`, `deadline` | looked at between two calls: the model call or command that is under way, and the wrap-up |',
  '',
  'The measurement also checks each row: its estimated input and its cap fitted into what was left then.',
  '',
  'The wrap-up is one call of at most 2,000 output tokens, which the held-back part pays for. Where the',
  'provider was paid for an answer that it broke off, it is not asked again. A request that is refused',
  'before the first byte (rate limit, overload) is free. A call whose usage nobody could read (stream cut',
  'off, no usage reported) is charged its estimated input and the tokens of what arrived, and its row is',
  'marked as estimated. A provider that goes on beyond the cap is cut off at 16 characters a token of it.',
  '',
  'What is charged can be less than what was spent in one case: a call whose worker died is charged its',
  'estimated input and the output that answers of the goal had on average (ADR 10), while the provider may',
  'have written up to the cap. So each of them can spend, beyond all of the above and beyond the books:',
  '',
  '| limit | for each lost call |',
  '|---|---|',
  '| `tokens` | (its input − its estimate, where that is positive) + (its cap − the output that it was charged) |',
  '| `costUsd` | the same at the prices of its model |',
  '',
  'At most `lostCalls` (10 by default) of them follow each other under one ordinary call, then the goal',
  'pauses; a wrap-up is given up after two, and each of these is charged beside the bound.',
];

const MEASURED = [
  'Each goal gets a random combination of limits and a scripted model with random sizes (true input 0.8 to',
  '1.25 times what a tokenizer counts, answers from 20 to 5,000 tokens, cached input of 0 to 90 %),',
  'streaming, and trouble: 5 % rate limits, 2 % overload, 5 % streams cut by the socket or without an end,',
  '6 % answers without usage. The model server keeps its own books; a delivery whose usage is not on exactly',
  'one row is a lost or a double charge.',
];
