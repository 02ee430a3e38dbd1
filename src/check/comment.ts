import type { CheckResult } from '../../schema/check-result.ts';
import { describeCriterion } from '../record/criterion-text.ts';

/** The first line of a comment, by which a later check finds it again. */
export const MARKER = '<!-- goalkeeper check -->';

/** GitHub takes 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const MOST_DIFF = 4000;
const SHOWN = 20;

const TITLES: Readonly<Record<CheckResult['status'], string>> = {
  proven: '✅ Proven',
  held: '➖ Nothing is proven',
  needs_person: '✋ A person is asked',
  refused: '❌ Not proven',
};

/**
 * What a check found, as Markdown. Names, reasons and diffs are the author's of the change: they
 * stand in code alone, where nothing of them is a heading, a link, a picture or a mention.
 */
export function commentOf(result: CheckResult): string {
  const { status, summary, wayOut, base, head, criteria, questions, proof } = result;
  const what = head === null ? 'the work tree' : code(head.slice(0, 12));
  const text = [
    MARKER,
    `### ${TITLES[status]} — goalkeeper check`,
    `${code(summary)}`,
    ...(wayOut === null ? [] : [`**Way out:** ${code(wayOut)}`]),
    `${what} against ${code(base.commit.slice(0, 12))} (${code(base.why)}), scope ${namesOf(result.scope.change)}`,
    criteriaTable(criteria),
    ...(proof === null
      ? []
      : [`Work that was proven: ${namesOf(proof.files.map(({ path }) => path))}`]),
    ...(result.beyondScope.length === 0
      ? []
      : [`Beyond its scope, and not needed: ${namesOf(result.beyondScope)}`]),
    ...(result.accepted.length === 0 ? [] : [`Accepted: ${namesOf(result.accepted)}`]),
    ...questions.flatMap(questionOf),
    ...result.notices.map((notice) => `> ${code(notice)}`),
    `Isolation ${result.isolation ?? 'of nothing'}, ${result.runs} runs in ${Math.round(result.durationMs / 1000)} s.`,
  ].join('\n\n');
  return text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS - 40)}\n\n… (cut)`;
}

const BEFORE = { met: 'held', unmet: 'failed', not_run: 'could not run' };

const criteriaTable = (criteria: CheckResult['criteria']): string =>
  [
    '| criterion | before | now |',
    '|---|---|---|',
    ...criteria.map(
      ({ criterionId, spec, baseline, state }) =>
        `| ${criterionId} ${cell(describeCriterion(spec))} | ${BEFORE[baseline]} | ${state === 'met' ? 'holds' : 'does not hold'} |`,
    ),
    ...criteria.flatMap(({ criterionId, state, reason }) =>
      state === 'met' ? [] : ['', fenced(`${criterionId}: ${reason}`, 'text')],
    ),
  ].join('\n');

function questionOf({ name, why, diff, accept }: CheckResult['questions'][number]): string[] {
  const shown = diff.length > MOST_DIFF ? `${diff.slice(0, MOST_DIFF)}\n…` : diff;
  return [
    `**Asked:** ${code(name)} — to accept it: ${code(`--accept ${accept}`)}`,
    fenced(why, 'text'),
    ...(shown === '' ? [] : [fenced(shown, 'diff')]),
  ];
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const rest = names.length - SHOWN;
  const shown = names.slice(0, SHOWN).map((name) => code(name));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** One line of code, whatever is in it. */
function code(text: string): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim().slice(0, 600) || ' ';
  const ticks = '`'.repeat(longest(line) + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

/** A bar would end a table's cell even in code. */
const cell = (text: string): string => code(text.replaceAll('|', '¦'));

function fenced(text: string, language: 'text' | 'diff'): string {
  const body = plain(text);
  const fence = '`'.repeat(Math.max(3, longest(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

const longest = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

/** Control characters, also those that turn the direction of a text, hide what is written. */
const plain = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Control}\p{Bidi_Control}]/gu, '�');
