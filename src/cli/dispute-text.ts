import type { CounterRun, Dispute } from '../../schema/dispute.ts';
import { describeCriterion } from '../record/criterion-text.ts';
import { oneLine, printable } from './terminal.ts';

/** Everything that a person needs to decide a dispute, and how. */
export function disputeText(dispute: Dispute): string {
  const { disputeId, goalId, state } = dispute;
  const how = state === 'open' ? ways(goalId, disputeId) : [];
  return [...disputeLines(dispute), ...how].join('\n');
}

/** What is disputed, and what the host saw of it. */
export function disputeLines(dispute: Dispute): string[] {
  const { disputeId, criterionId, criterion, kind, state, counterExample } = dispute;
  const { command, expect } = counterExample;
  return [
    `${kind} ${disputeId} (${state}): ${criterionId}, ${oneLine(describeCriterion(criterion), 400)}`,
    `  ${printable(dispute.explanation)}`,
    `  counter-example: ${oneLine(command, 400)}, expects ${expectation(expect)}`,
    ...dispute.runs.flatMap(runLines),
    `  ${whereText(dispute)}`,
    ...(dispute.note === null ? [] : [`  ${dispute.decidedBy}: ${oneLine(dispute.note, 400)}`]),
  ];
}

function expectation({ exit, contains }: Dispute['counterExample']['expect']): string {
  const parts = [
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    ...(contains === undefined ? [] : [`"${oneLine(contains, 200)}"`]),
  ];
  return parts.join(' and ');
}

const WHERE: Readonly<Record<CounterRun['tree'], string>> = {
  work: "with the goal's changes",
  original: 'on the original alone',
  empty: 'in an empty folder',
};

function runLines({ tree, exit, shows, output, receipt }: CounterRun): string[] {
  const where = WHERE[tree];
  const said = output.trim() === '' ? [] : printable(output.slice(-800)).split('\n');
  return [
    `  run ${where}: exit ${exit ?? 'none'}, ${shows ? 'shows it' : 'does not show it'} (receipt ${receipt})`,
    ...said.map((line) => `    ${line}`),
  ];
}

/** What the person must know about the place where it ran. */
function whereText({ showsOnOriginal, showsOnNothing }: Dispute): string {
  if (showsOnNothing) return 'beware: it shows in an empty folder as well, whatever the project is';
  if (showsOnOriginal === null)
    return 'it ran in a checkout of the workspace: no original was kept';
  return showsOnOriginal
    ? "it shows on the original as well, without any of the goal's changes"
    : "beware: it shows only with the goal's own changes";
}

const ways = (goalId: string, disputeId: string): string[] => [
  `  goalkeeper amend ${goalId} --criterion COMMAND`,
  '      the criteria change, and the goal goes on',
  `  goalkeeper dispute ${goalId} ${disputeId} --insist --note WHY`,
  '      the criterion stays, and the goal goes on',
  `  goalkeeper dispute ${goalId} ${disputeId} --infeasible`,
  '      the goal is over, and not complete',
];
