import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { CounterExample, CounterRun, Dispute } from '../../schema/dispute.ts';
import { whyUncheckable } from '../shell/compare/checkable.ts';
import { tellingMentions } from '../shell/compare/mentions.ts';
import type { ParseShell } from '../shell/read/script.ts';

/** Disputes that a person answers with "meet it" before no more are taken. */
const MOST_INSISTED = 3;
/** Disputes of one goal, however they ended. */
const MOST_DISPUTES = 12;

interface Disputing {
  readonly criterionId: string;
  readonly counterExample: CounterExample;
}

/** Why a dispute isn't taken, before its counter-example runs; null = it may run. */
export function whyNoDispute(
  { criterionId, counterExample }: Disputing,
  criteria: readonly TrackedCriterion[],
  disputes: readonly Dispute[],
  parse: ParseShell,
): string | null {
  const criterion = criteria.find((one) => one.criterionId === criterionId);
  if (criterion === undefined) {
    const known = criteria.map((one) => one.criterionId).join(', ') || 'none';
    return `there is no criterion ${criterionId}; those of the goal: ${known}`;
  }
  return (
    whyNotItsKind(criterion) ??
    whyNothingShown(counterExample, parse) ??
    whyOnlyUnmet(counterExample, criterion, parse) ??
    whyTooMany(criterionId, counterExample, disputes, parse)
  );
}

function whyNotItsKind({ criterionId, spec, origin }: TrackedCriterion): string | null {
  if (spec.kind === 'approval')
    return `${criterionId} is a person's own decision: talk to them with ask_user`;
  return origin === 'proposed'
    ? `${criterionId} was proposed by you and a person approved it: talk to them with ask_user`
    : null;
}

/** A line that only prints, or always ends the same way, shows nothing about the project. */
function whyNothingShown({ command, expect }: CounterExample, parse: ParseShell): string | null {
  const script = parse(command);
  if (script.problem !== null) return `the counter-example can't be read: ${script.problem}`;
  if (tellingMentions(script, '').length === 0) {
    return 'the counter-example shows nothing: it only prints, or ends the same way whatever it finds';
  }
  if (expect.contains !== undefined) return null;
  const constant = whyUncheckable(script, { expectExit: expect.exit });
  return constant === null ? null : `the counter-example shows nothing: ${constant.reason}`;
}

/** That the check fails is what an unmet criterion means; it is no reason against it. */
function whyOnlyUnmet(
  { command, expect }: CounterExample,
  { criterionId, spec }: TrackedCriterion,
  parse: ParseShell,
): string | null {
  if (spec.kind !== 'command' || expect.contains !== undefined) return null;
  return callsKey(command, parse) === callsKey(spec.command, parse)
    ? `that ${criterionId} is unmet is no reason against it: expect a text that shows why it can't be met`
    : null;
}

function whyTooMany(
  criterionId: string,
  counterExample: CounterExample,
  disputes: readonly Dispute[],
  parse: ParseShell,
): string | null {
  if (disputes.length >= MOST_DISPUTES) {
    return `${disputes.length} criteria were disputed already, and no more than ${MOST_DISPUTES} may be: talk to the person with ask_user or report_blocker`;
  }
  const insisted = disputes.filter(
    (one) => one.criterionId === criterionId && one.state === 'insisted',
  );
  if (insisted.length >= MOST_INSISTED) {
    return `a person insisted on ${criterionId} ${insisted.length} times: meet it, or talk to them with ask_user`;
  }
  const key = exampleKey(counterExample, parse);
  return insisted.some((one) => exampleKey(one.counterExample, parse) === key)
    ? `a person saw this very counter-example and insists on ${criterionId}: it can be disputed again only with a new one, that is another command or another expectation`
    : null;
}

/** Equal for counter-examples that differ only in what says nothing: spaces, comments, prints. */
const exampleKey = ({ command, expect }: CounterExample, parse: ParseShell): string =>
  JSON.stringify([callsKey(command, parse), expect.exit ?? null, (expect.contains ?? '').trim()]);

/** The calls of a line whose outcome means something, in any order. */
function callsKey(command: string, parse: ParseShell): string {
  const calls = tellingMentions(parse(command), '').map(({ words, assignments }) => [
    words.map(({ text }) => text),
    [...assignments],
  ]);
  return JSON.stringify(calls.map((call) => JSON.stringify(call)).sort());
}

/** A run that the host ended has no exit code, and shows nothing. */
export function showsIt(
  { exit, contains }: CounterExample['expect'],
  ran: { readonly exit: number | null; readonly output: string },
): boolean {
  if (ran.exit === null) return false;
  return (
    (exit === undefined || ran.exit === exit) &&
    (contains === undefined || ran.output.includes(contains))
  );
}

/** What it should have shown, and what was seen instead. */
export function notShownText(
  { expect }: CounterExample,
  { exit, output }: Pick<CounterRun, 'exit' | 'output'>,
): string {
  const wanted = [
    ...(expect.exit === undefined ? [] : [`exit ${expect.exit}`]),
    ...(expect.contains === undefined ? [] : [`"${expect.contains}" in its output`]),
  ].join(' and ');
  const ended = exit === null ? 'it did not end by itself' : `it exited with ${exit}`;
  const said = output.trim() === '' ? 'It printed nothing.' : `Its output ends with:\n${output}`;
  return `the counter-example does not show it: expected ${wanted}, and ${ended}. ${said}`;
}
