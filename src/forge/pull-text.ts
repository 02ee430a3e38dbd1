import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import { describeCriterion } from '../record/criterion-text.ts';
import { cell, code, cut, fenced, namesOf } from '../record/markdown.ts';

/** Of what a person or a model wrote: what the proof says below is never cut for it. */
const MOST_WORDS = 8000;

const quoted = (text: string): string =>
  fenced(text.length <= MOST_WORDS ? text : `${text.slice(0, MOST_WORDS)}\n… (cut)`, 'text');

const LEVELS: Readonly<Record<GoalProofPredicate['level'], string>> = {
  verified: '✅ Verified',
  supported: '➖ Supported, not verified',
  accepted_by_person: '✋ Accepted by a person',
};

/** What a reviewer needs of a proof: what was asked, how it was judged, and what nobody judged. */
export function pullText(proven: GoalProofPredicate, digest: string): string {
  const { goal, level, proof, criteria, requirements, ledger, isolation } = proven;
  const decided = proven.approvals.filter(({ state }) => state === 'approved');
  return cut(
    [
      `### ${LEVELS[level]} — goalkeeper`,
      quoted(goal.objective),
      ...(proven.result === ''
        ? []
        : [`**What was done, in its own words:**`, quoted(proven.result)]),
      criteriaTable(criteria, proof),
      `Work that was proven: ${namesOf(proof.files.map(({ path }) => path))}`,
      ...(proof.accepted.length === 0
        ? []
        : [`Beyond its scope, and accepted by a person: ${namesOf(proof.accepted)}`]),
      ...(proof.beyondScope.length === 0
        ? []
        : [`Changed as well, not needed, and not in here: ${namesOf(proof.beyondScope)}`]),
      ...(proof.felt === undefined || proof.felt.unfelt.length === 0
        ? []
        : [`No check notices whether these are there: ${namesOf(proof.felt.unfelt)}`]),
      ...(proof.selfChecked ? ['> Files that judge the work are part of it.'] : []),
      ...(requirements === null ? [] : [code(requirements.statement)]),
      ...decided.map(
        ({ question, decidedBy, note }) =>
          `A person decided: ${code(question)} ${code(decidedBy ?? '')}${note === null ? '' : ` ${code(note)}`}`,
      ),
      `Goal ${code(goal.goalId)}, model ${code(goal.model)}, isolation ${isolation ?? 'of nothing'}, ledger of ${ledger.head.seq} rows up to ${code(ledger.head.hash.slice(0, 16))}, proof ${code(digest.slice(0, 16))}.`,
      `To check it: ${code(`goalkeeper proof export ${goal.goalId}`)}, then ${code('goalkeeper proof verify FILE --rerun')} in a checkout of this branch.`,
    ].join('\n\n'),
  );
}

type Proof = GoalProofPredicate['proof'];

function criteriaTable(criteria: GoalProofPredicate['criteria'], proof: Proof): string {
  const rows = criteria.map(({ criterionId, spec, baseline, state }) => {
    const run = proof.criteria.find((one) => one.criterionId === criterionId);
    const tests = run?.tests.now == null ? '' : `${run.tests.before ?? '?'} → ${run.tests.now}`;
    const receipts = (run?.receipts ?? []).map((seq) => `\`#${seq}\``).join(' ');
    return `| ${code(criterionId)} ${cell(describeCriterion(spec))} | ${baseline ?? ''} | ${state} | ${tests} | ${receipts} |`;
  });
  return ['| criterion | before | now | tests | receipts |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
