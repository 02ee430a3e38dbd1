import type { CheckResult } from '../../schema/check-result.ts';
import { describeCriterion } from '../record/criterion-text.ts';
import { cell, code, cut, fenced, namesOf } from '../record/markdown.ts';

/** The first line of a comment, by which a later check finds it again. */
export const MARKER = '<!-- goalkeeper check -->';

const MOST_DIFF = 4000;

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
  return cut(text);
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
