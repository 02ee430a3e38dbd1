import type { CheckStatus, OpenQuestion } from '../../schema/check-result.ts';
import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { CriterionEvidence } from '../contract/evidence.ts';
import { textOf, whyOpen } from './criteria.ts';

/** Exit codes: those of `goalkeeper run`, where 2 is a goal that waits for a person's budget. */
export const EXIT_CODES: Readonly<Record<CheckStatus, number>> = {
  proven: 0,
  held: 1,
  needs_person: 2,
  refused: 1,
};

export interface Facts {
  readonly evidence: readonly CriterionEvidence[];
  readonly criteria: readonly TrackedCriterion[];
  /** Criteria that only others can judge. */
  readonly open: readonly TrackedCriterion[];
  readonly asked: readonly ShownChange[];
  readonly isAccepted: (name: string) => boolean;
  readonly acceptsHeld: boolean;
  /** Names of changes that a person accepted. */
  readonly accepted: readonly string[];
  /** Files beyond the scope that the work did without. */
  readonly beyondScope: readonly string[];
}

export interface Conclusion {
  readonly status: CheckStatus;
  readonly exitCode: number;
  readonly summary: string;
  readonly wayOut: string | null;
  readonly questions: readonly OpenQuestion[];
  /** `accepted_by_person` where a person's word stands for a check. */
  readonly level: 'verified' | 'accepted_by_person';
}

/** What it comes to: what does not hold comes first, then what nobody but a person can say. */
export function conclude(facts: Facts): Conclusion {
  const { evidence, asked, isAccepted, acceptsHeld } = facts;
  const unmet = evidence.filter(({ state }) => state !== 'met');
  const doubted = evidence.filter(({ isHostChecked }) => !isHostChecked);
  const trusted = evidence.filter((one) => one.isHostChecked || isAccepted(one.criterionId));
  const turned = trusted.filter(({ baseline }) => baseline === 'unmet');
  const level =
    turned.some(({ isHostChecked }) => isHostChecked) && doubted.length === 0
      ? 'verified'
      : 'accepted_by_person';
  const end = (status: CheckStatus, summary: string, wayOut: string | null = null) => ({
    ...{ status, exitCode: EXIT_CODES[status], summary, wayOut, questions: [] as OpenQuestion[] },
    level: level as Conclusion['level'],
  });
  if (unmet.length > 0) {
    const ids = unmet.map(({ criterionId }) => criterionId).join(', ');
    return end('refused', `Not proven: ${ids} ${unmet.length === 1 ? 'does' : 'do'} not hold.`);
  }
  const questions = [...asked.map(questionOf), ...openQuestions(facts)];
  if (questions.length > 0) {
    const names = questions.map(({ name }) => name);
    const summary = `Not proven without a person: ${listed(names)}.`;
    return { ...end('needs_person', summary, WAY_TO_ACCEPT), questions };
  }
  if (turned.length > 0) {
    const ids = turned.map(({ criterionId }) => criterionId).join(', ');
    const by = level === 'verified' ? byWhat(facts.accepted) : 'as a person accepted';
    return end(
      'proven',
      `Proven: ${ids} failed before and ${turned.length === 1 ? 'holds' : 'hold'} ${by}.`,
    );
  }
  const summary = 'Nothing is proven: every criterion held before the work, and still does.';
  const held = end('held', summary, heldWayOut(facts));
  return acceptsHeld ? { ...held, exitCode: 0, wayOut: null } : held;
}

const byWhat = (accepted: readonly string[]): string =>
  accepted.length === 0 ? 'by the work alone' : `by the work with ${listed(accepted)}, as accepted`;

const WAY_TO_ACCEPT =
  'Look at each, and say what you accept by --accept NAME; or take it out of the work.';

const listed = (names: readonly string[]): string =>
  names.length <= 5
    ? names.join(', ')
    : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;

function heldWayOut({ beyondScope }: Facts): string {
  const tests = beyondScope.filter((path) => /test|spec/i.test(path)).slice(0, 3);
  const hint =
    tests.length === 0
      ? 'Name a criterion that fails without the work'
      : `Where ${tests.join(', ')} may judge the work, say so: --accept '${tests[0]}'. Otherwise name a criterion that fails without the work`;
  return `${hint}; or let it pass with --accept-held, such as for a change that only tidies up.`;
}

const questionOf = ({ name, kind, diff, criterionIds }: ShownChange): OpenQuestion => ({
  ...{ name, kind, diff, accept: name },
  why: `${said[kind]}${criterionIds.length === 0 ? '' : ` (${criterionIds.join(', ')})`}`,
});

const said: Record<ShownChange['kind'], string> = {
  beyond_scope: 'it lies beyond the scope, and the work does not hold without it',
  packages: 'installed packages that nothing but the work tree vouches for',
  test_skipped: 'a test that ran is skipped now',
  test_gone: 'a test that ran no longer runs',
  not_looked_at: 'a checker no longer looks at it',
  rewritten: 'the work changed it while the check ran',
  breaks: 'it lies beyond the scope, and with it the checks of the original no longer hold',
};

function openQuestions({ evidence, criteria, open, isAccepted }: Facts): OpenQuestion[] {
  const ask = (id: string, why: string): OpenQuestion[] =>
    isAccepted(id) ? [] : [{ name: id, kind: 'criterion', why, diff: '', accept: id }];
  const doubted = evidence.filter(({ isHostChecked }) => !isHostChecked);
  return [
    ...open.flatMap((one) => ask(one.criterionId, `${textOf(one)}: ${whyOpen(one.spec)}`)),
    ...doubted.flatMap(({ criterionId, reason }) => {
      const one = criteria.find((known) => known.criterionId === criterionId);
      return ask(criterionId, `${one === undefined ? '' : `${textOf(one)}: `}${reason}`);
    }),
  ];
}
