import type { Sealed, SealedOfGoal, SealedRun } from '../../schema/sealed.ts';
import { oneLine } from './terminal.ts';

const SHOWN_LINES = 20;

export function sealedText(sealed: Sealed): string[] {
  const { sealedId, name, description, hint, criterion, files, problem, sha256, keyId } = sealed;
  const check = criterion === null ? [] : [checkOf(criterion)];
  return [
    `${sealedId}  ${oneLine(name, 80)}: ${oneLine(description, 300)}`,
    ...check.map((text) => `  ${oneLine(text, 400)}`),
    `  hint ${hint}, key ${keyId}, sha256 ${sha256}`,
    ...files.map((file) => `  ${file.sha256}  ${oneLine(file.path, 200)} (${file.bytes} bytes)`),
    ...(problem === undefined ? [] : [`  ${problem}`]),
  ];
}

const checkOf = (criterion: NonNullable<Sealed['criterion']>): string =>
  criterion.kind === 'command' ? criterion.command : `review: ${criterion.rubric}`;

/** What is sealed of a goal, and how its newest judging ended. */
export const sealedOfGoalLines = ({ items }: SealedOfGoal): string[] =>
  items.flatMap(({ criterionId, sealed, judged, mostJudged, runs }) => [
    `sealed ${criterionId}, judged ${judged} of at most ${mostJudged} versions`,
    ...sealedText(sealed).map((line) => `  ${line}`),
    ...runs.slice(-1).flatMap(runLines),
  ]);

function runLines({ origin, turn, state, reason, hint, runs }: SealedRun): string[] {
  const [first = ''] = reason.split('\n');
  const output = runs.at(-1)?.output.trimEnd().split('\n').slice(-SHOWN_LINES) ?? [];
  return [
    `    ${origin} in turn ${turn}: ${state} (${oneLine(first, 300)})`,
    ...(hint === undefined ? [] : [`    the model was told: ${oneLine(hint, 300)}`]),
    ...output.map((line) => `    | ${oneLine(line, 200)}`),
  ];
}
