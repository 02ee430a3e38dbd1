import { ruleText } from '../../../schema/rule-text.ts';
import { turnTitle } from '../../../schema/turn-title.ts';
import type { Call, ModelCall, Turn } from '../api/types.ts';
import { compact, dollars, duration } from './format.ts';
import { secondsOf } from './model-call-text.ts';
import { toneOf, toneWords } from './turn-tone.ts';

/** All that is known of one turn. */
export interface Side {
  readonly turn: Turn;
  readonly calls: readonly Call[];
  readonly modelCalls: readonly ModelCall[];
}

export interface ComparedRow {
  readonly name: string;
  readonly values: readonly [string, string];
  readonly differs: boolean;
}

const NONE = '–';

const FACTS: readonly (readonly [name: string, (side: Side) => string])[] = [
  ['Deed', ({ turn }) => turnTitle(turn)],
  ['Opened by', ({ turn }) => turn.kind.replaceAll('_', ' ')],
  ['Outcome', ({ turn }) => toneWords[toneOf(outlineOf(turn))]],
  ['Model', ({ modelCalls }) => modelsOf(modelCalls)],
  ['Model calls', ({ modelCalls }) => String(modelCalls.length)],
  ['Tokens', ({ modelCalls }) => compact(sum(modelCalls, tokensOf))],
  ['Cost', ({ modelCalls }) => dollars(sum(modelCalls, ({ costUsd }) => Number(costUsd)))],
  ['Model time', ({ modelCalls }) => duration(sum(modelCalls, (one) => secondsOf(one) ?? 0))],
  ['Wall time', ({ turn }) => wallTime(turn)],
  ['Calls', ({ calls }) => String(calls.length)],
  ['Failed calls', ({ calls }) => String(calls.filter(hasFailed).length)],
  ['Decision', ({ turn: { decision } }) => decisionOf(decision)],
  ['Score', ({ turn: { decision } }) => String(decision?.score?.total ?? NONE)],
  ['Missing', ({ turn: { decision } }) => decision?.missing.join(', ') || NONE],
];

/** Two turns side by side, fact by fact. */
export const comparedRows = (left: Side, right: Side): readonly ComparedRow[] =>
  FACTS.map(([name, factOf]) => {
    const values = [factOf(left), factOf(right)] as const;
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

const wallTime = ({ startedAt, settledAt }: Turn): string =>
  settledAt === null ? 'runs' : duration((Date.parse(settledAt) - Date.parse(startedAt)) / 1000);

const hasFailed = ({ outcome }: Call): boolean => outcome !== null && outcome !== 'succeeded';

const decisionOf = (decision: Turn['decision']): string =>
  decision === null ? NONE : `${ruleText(decision.rule, decision.ruleName)} ${decision.action}`;

/** What the model said in a turn. */
export const wordsOf = ({ messages }: Turn): string =>
  messages
    .filter(({ voice, text }) => voice === 'model' && text.trim() !== '')
    .map(({ text }) => text)
    .join('\n\n');
