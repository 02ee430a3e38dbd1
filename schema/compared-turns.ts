import type { ModelCall } from './model-call.ts';
import { secondsOf } from './model-call-words.ts';
import { ruleText } from './rule-text.ts';
import type { Call, Turn } from './turn.ts';
import { outcomeOf, outcomeWords } from './turn-outcome.ts';
import { turnTitle } from './turn-title.ts';

type Ended = Pick<Call, 'outcome'>;

/** All that is known of one turn. */
export interface Side<OneCall extends Ended = Ended> {
  readonly turn: Turn;
  readonly calls: readonly OneCall[];
  readonly modelCalls: readonly ModelCall[];
}

export interface ComparedRow {
  readonly name: string;
  readonly values: readonly [string, string];
  readonly differs: boolean;
}

/** How a place writes numbers. */
export interface NumberForms {
  readonly compact: (count: number) => string;
  readonly dollars: (amount: number) => string;
  readonly duration: (seconds: number) => string;
}

const NONE = '–';

type Fact = (side: Side, forms: NumberForms) => string;

const FACTS: readonly (readonly [name: string, Fact])[] = [
  ['Deed', ({ turn }) => turnTitle(turn)],
  ['Opened by', ({ turn }) => turn.kind.replaceAll('_', ' ')],
  ['Outcome', ({ turn }) => outcomeWords[outcomeOf(outlineOf(turn))]],
  ['Model', ({ modelCalls }) => modelsOf(modelCalls)],
  ['Model calls', ({ modelCalls }) => String(modelCalls.length)],
  ['Tokens', ({ modelCalls }, { compact }) => compact(sum(modelCalls, tokensOf))],
  [
    'Cost',
    ({ modelCalls }, { dollars }) => dollars(sum(modelCalls, ({ costUsd }) => Number(costUsd))),
  ],
  [
    'Model time',
    ({ modelCalls }, { duration }) => duration(sum(modelCalls, (one) => secondsOf(one) ?? 0)),
  ],
  ['Wall time', ({ turn }, { duration }) => wallTime(turn, duration)],
  ['Calls', ({ calls }) => String(calls.length)],
  ['Failed calls', ({ calls }) => String(calls.filter(hasFailed).length)],
  ['Decision', ({ turn: { decision } }) => decisionOf(decision)],
  ['Score', ({ turn: { decision } }) => String(decision?.score?.total ?? NONE)],
  ['Missing', ({ turn: { decision } }) => decision?.missing.join(', ') || NONE],
];

/** Two turns side by side, fact by fact. */
export const comparedRows = (left: Side, right: Side, forms: NumberForms): readonly ComparedRow[] =>
  FACTS.map(([name, factOf]) => {
    const values = [factOf(left, forms), factOf(right, forms)] as const;
    return { name, values, differs: values[0] !== values[1] };
  });

const outlineOf = (turn: Turn) => ({
  ...turn,
  action: turn.decision?.action ?? null,
  rule: turn.decision?.rule ?? null,
});

const modelsOf = (calls: readonly ModelCall[]): string =>
  [...new Set(calls.map(({ model }) => model))].join(', ') || NONE;

const tokensOf = ({ inputTokens, cachedInputTokens, outputTokens }: ModelCall): number =>
  inputTokens - cachedInputTokens + outputTokens;

const sum = <Item>(all: readonly Item[], amountOf: (one: Item) => number): number =>
  all.reduce((before, one) => before + amountOf(one), 0);

const wallTime = ({ startedAt, settledAt }: Turn, duration: NumberForms['duration']): string =>
  settledAt === null ? 'runs' : duration((Date.parse(settledAt) - Date.parse(startedAt)) / 1000);

const hasFailed = ({ outcome }: Ended): boolean => outcome !== null && outcome !== 'succeeded';

const decisionOf = (decision: Turn['decision']): string =>
  decision === null ? NONE : `${ruleText(decision.rule, decision.ruleName)} ${decision.action}`;

/** What the model said in a turn. */
export const wordsOf = ({ messages }: Turn): string =>
  messages
    .filter(({ voice, text }) => voice === 'model' && text.trim() !== '')
    .map(({ text }) => text)
    .join('\n\n');
