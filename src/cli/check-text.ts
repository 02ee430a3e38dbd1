import type { CheckResult, OpenQuestion } from '../../schema/check-result.ts';
import type { CheckedRun } from '../check/order.ts';
import { describeCriterion } from '../record/criterion-text.ts';
import { proofLines } from './proof-text.ts';
import { oneLine, printable } from './terminal.ts';

/** Most names in a line, and lines of a diff. */
const SHOWN = 8;
const SHOWN_LINES = 60;

export function runLine(run: CheckedRun): string {
  const { criterionId, command, on, isMet, whyEnded, durationMs } = run;
  const end = isMet ? 'passed' : oneLine(whyEnded ?? 'failed', 80);
  return `  ${criterionId} on ${on}: ${end} (${(durationMs / 1000).toFixed(1)} s)  ${oneLine(command, 60)}`;
}

/** What a check found, for the terminal. */
export function checkText(result: CheckResult): string {
  const { base, head, terms, scope, criteria, questions, accepted, proof, notices } = result;
  const what = head === null ? 'the work tree' : `commit ${head.slice(0, 12)}`;
  return [
    `${what} against ${base.commit.slice(0, 12)} (${oneLine(base.why)})`,
    ...(terms === null ? [] : [`criteria and scope: ${oneLine(terms)}`]),
    `scope, by ${scope.setBy === 'host' ? 'inference' : 'you'}: ${listed(scope.change) || 'no file'}`,
    ...criteria.map(criterionLines),
    ...(proof === null ? [] : proofLines(proof)),
    ...acceptedLines(accepted, proof?.accepted ?? []),
    ...(proof === null && result.beyondScope.length > 0
      ? [`beyond the scope: ${listed(result.beyondScope)}`]
      : []),
    ...questions.flatMap(questionLines),
    ...notices.map((notice) => `note: ${oneLine(notice, 600)}`),
    ...bundleLines(result),
    `isolation ${result.isolation ?? 'of nothing'}; ${result.runs} runs in ${(result.durationMs / 1000).toFixed(1)} s`,
    oneLine(result.summary, 600),
    ...(result.wayOut === null ? [] : [`  way out: ${oneLine(result.wayOut, 600)}`]),
  ].join('\n');
}

function acceptedLines(accepted: readonly string[], told: readonly string[]): string[] {
  const others = accepted.filter((name) => !told.includes(name));
  return others.length === 0 ? [] : [`accepted by --accept: ${listed(others)}`];
}

const BEFORE = { met: 'held before', unmet: 'failed before', not_run: 'could not run before' };

function criterionLines({
  criterionId,
  spec,
  baseline,
  state,
  reason,
}: CheckResult['criteria'][number]): string {
  const now = state === 'met' ? 'holds now' : 'does not hold now';
  const head = `${criterionId} ${oneLine(describeCriterion(spec), 200)}: ${BEFORE[baseline]}, ${now}`;
  if (state === 'met' && baseline !== 'not_run') return head;
  // Each line begins with a bar: a log's reader takes none of it for a command.
  return [head, ...printable(reason).split('\n').map(quoted)].join('\n');
}

const quoted = (line: string): string => `  | ${line.replaceAll('##[', '## [')}`;

function questionLines({ name, why, diff, accept }: OpenQuestion): string[] {
  const lines = diff === '' ? [] : diff.split('\n');
  const left = lines.length - SHOWN_LINES;
  // A long diff is cut already, and says so in its last line.
  const [, cut] = /^… (\d+) more lines$/.exec(lines.at(-1) ?? '') ?? [];
  const rest = left > 0 && cut !== undefined ? left - 1 + Number(cut) : left;
  return [
    `a person is asked: ${oneLine(name, 200)}`,
    ...printable(why).split('\n').map(quoted),
    ...lines.slice(0, SHOWN_LINES).map((line) => quoted(printable(line))),
    ...(rest > 0 ? [`  | … ${rest} more lines`] : []),
    `  to accept it: --accept ${shellWord(oneLine(accept, 300))}`,
  ];
}

const shellWord = (text: string): string =>
  /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function bundleLines({ bundle }: CheckResult): string[] {
  if (bundle === null) return [];
  const { file, keyId, ephemeralKey } = bundle;
  const key =
    ephemeralKey === null
      ? `signed by ${keyId}`
      : `signed by a key of this run alone (${ephemeralKey}): it shows that the file is whole, not who made it`;
  return [`proof: ${file}, ${key}`];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => oneLine(name, 120));
  return names.length > SHOWN
    ? `${shown.join(', ')} and ${names.length - SHOWN} more`
    : shown.join(', ');
}
