import type { CheckResult, Estimate } from '../../schema/estimate.ts';
import { setupSentence } from '../../schema/setup-text.ts';
import { scopeBeside } from '../proof/scope/scope-sentence.ts';
import { describeCriterion } from '../record/criterion-text.ts';
import { networkText } from './network-text.ts';
import { oneLine, type Paint, plain, printable } from './terminal.ts';

/** One criterion and the result of trying it; null = not tried. */
export interface Tried {
  readonly criterion: Estimate['criteria'][number];
  readonly result: CheckResult | null;
}

/** The limits that a start would enforce, and the possible cost. */
export function estimateText(
  estimate: Estimate,
  tried: readonly Tried[],
  paint: Pick<Paint, 'bad'> = plain,
): string {
  const { workspace, model, fallbackModel, firstCall } = estimate;
  return [
    `workspace  ${workspace.name}${workspace.isKnown ? '' : ' (would be registered)'}`,
    `model      ${model}${fallbackModel === null ? '' : `, then ${fallbackModel}`}${pricesText(estimate)}`,
    `budget     ${budgetText(estimate)}`,
    `one call   ${firstCall.tokens} tokens with its wrap-up${cost(firstCall.costUsd)}`,
    `so far     ${pastText(estimate)}`,
    ...(estimate.buys === null
      ? []
      : [
          `it buys    about ${estimate.buys.turns} turns; first to run out: ${estimate.buys.first}`,
        ]),
    ...networkLines(estimate, paint),
    ...scopeLines(estimate),
    ...criteriaLines(estimate, tried),
  ].join('\n');
}

const networkLines = ({ policy }: Estimate, paint: Pick<Paint, 'bad'>): string[] => {
  const words = networkText(policy);
  if (words === null) return [];
  const line = `network    ${words}`;
  return [policy.sandbox?.network === 'host' ? paint.bad(line) : line];
};

function scopeLines({ scope: { scope, files, total, notices, setups } }: Estimate): string[] {
  const sentence = scope === null ? null : scopeBeside(scope, notices);
  const told =
    sentence === null
      ? []
      : [`scope      ${oneLine(sentence, 600)}`, `           ${files} of ${total} files now`];
  return [
    ...told,
    ...setups.map((setup) => `setup      ${oneLine(setupSentence(setup), 400)}`),
    ...notices.map(({ text }) => `notice     ${oneLine(text, 400)}`),
  ];
}

const cost = (costUsd: string | null): string => (costUsd === null ? '' : `, up to $${costUsd}`);

const pricesText = ({ prices }: Estimate): string =>
  prices === null
    ? ' (no known price)'
    : ` ($${prices.input} in, $${prices.cached} cached, $${prices.output} out a million tokens)`;

function budgetText({ budget }: Estimate): string {
  const { tokens, costUsd, turns, activeSeconds, deadline } = budget;
  return [
    ...(tokens === null ? [] : [`${tokens} tokens`]),
    ...(costUsd === null ? [] : [`$${costUsd}`]),
    ...(turns === null ? [] : [`${turns} turns`]),
    ...(activeSeconds === null ? [] : [`${activeSeconds} s of work`]),
    ...(deadline === null ? [] : [`until ${deadline}`]),
  ].join(', ');
}

function pastText({ past, model, workspace }: Estimate): string {
  if (past.scope === 'none') return `no goal with ${model} has settled a turn yet`;
  const whose = past.scope === 'model' ? `with ${model}` : `with ${model} in ${workspace.name}`;
  const { tokensPerTurn, turns } = past;
  const a = tokensPerTurn === null ? '' : `: ${Math.round(tokensPerTurn.p50)} tokens a turn`;
  const done =
    turns === null
      ? ''
      : `; ${past.completed} completed, half of them within ${Math.ceil(turns.p50)} turns`;
  return `${past.goals} goals ${whose}${a}${done}`;
}

function criteriaLines({ detectsCriteria }: Estimate, tried: readonly Tried[]): string[] {
  if (detectsCriteria) return ["criteria   the project's own checks, as far as they work now"];
  if (tried.length === 0) return ['criteria   none: you judge'];
  return tried.flatMap(({ criterion, result }) => [
    `criterion  ${oneLine(describeCriterion(criterion))}`,
    ...(result === null ? [] : resultLines(result)),
  ]);
}

const stateWords = {
  met: 'holds already: a guard, which proves nothing by itself',
  unmet: 'unmet now',
  not_run: 'could not run now',
} as const;

function resultLines({ state, reason, output }: CheckResult): string[] {
  const lines = output.trimEnd().split('\n').slice(-6);
  return [
    `           ${stateWords[state]}: ${oneLine(reason)}`,
    ...(output.trim() === '' || state === 'met'
      ? []
      : lines.map((line) => `           | ${printable(line)}`)),
  ];
}
