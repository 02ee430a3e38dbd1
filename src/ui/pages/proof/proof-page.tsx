import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { GoalProofPredicate } from '../../../../schema/proof-bundle.ts';
import { ApiError } from '../../api/problem.ts';
import { proofQuery } from '../../api/queries.ts';
import type { Criterion, Goal } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { download } from '../../components/download.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { criterionText } from '../../view/criterion-text.ts';
import { dateAndTime } from '../../view/format.ts';
import { criterionFacts, levelText, readProof, type ShownProof } from '../../view/proof-bundle.ts';

/** A completed goal's proof on one page, as it is signed; made to be printed. */
export function ProofPage({ goal }: { readonly goal: Goal }) {
  const { goalId } = goal;
  useTitle(`Proof of ${goalId}`);
  const isComplete = goal.status === 'complete';
  const proof = useQuery({ ...proofQuery(goalId), enabled: isComplete });
  if (!isComplete) return <NoProof goalId={goalId} why={NOT_YET} />;
  if (proof.isPending) return <SkeletonLines label="Loading the proof" widths={[60, 80, 70, 75]} />;
  if (proof.data !== undefined) return <Proof shown={readProof(proof.data)} />;
  if (proof.error instanceof ApiError && proof.error.problem.status < 500) {
    return <NoProof goalId={goalId} why={proof.error.message} />;
  }
  return <FailedBox what="The proof" error={proof.error} onRetry={() => void proof.refetch()} />;
}

const NOT_YET =
  'There is one as soon as the goal is complete: the gate says what is missing until then.';

function NoProof({ goalId, why }: { readonly goalId: string; readonly why: string }) {
  return (
    <StateBox
      icon={<IconFileOff size={28} stroke={1.4} aria-hidden="true" />}
      title={why === NOT_YET ? 'Not proved yet' : 'No proof to show'}
      text={why}
    >
      <Link className={buttonClass({})} href={`/goals/${goalId}/gate`}>
        The gate
      </Link>
    </StateBox>
  );
}

function Proof({ shown }: { readonly shown: ShownProof }) {
  const { predicate, keyId } = shown;
  const { goal, proof, result, requirements, approvals, disputes, ledger } = predicate;
  return (
    <article className="proof-page">
      <header>
        <h2 className="proof-level">{levelText(predicate)}</h2>
        <p className="pre-wrap print-only">{goal.objective}</p>
        <div className="proof-acts">
          <Button
            look="primary"
            onClick={() =>
              download(`${goal.goalId}.intoto.jsonl`, 'application/vnd.in-toto.bundle', shown.text)
            }
          >
            Download the signed file
          </Button>
          <Button onClick={() => window.print()}>Print</Button>
          <CopyButton text={`goalkeeper pr ${goal.goalId}`} words="Copy goalkeeper pr" />
        </div>
      </header>
      <Facts predicate={predicate} keyId={keyId} />
      <Part title="What is claimed">
        <p className="pre-wrap">{result}</p>
      </Part>
      <Part title="Criteria">
        {predicate.criteria.map((one) => (
          <p key={one.criterionId}>
            <b>{one.criterionId}</b>{' '}
            <span className="mono">{criterionText(one as Criterion).what}</span>: {one.state}
            <br />
            <span className="text-muted">{criterionFacts(predicate, one)}</span>
          </p>
        ))}
      </Part>
      <Names title="Files of the work" names={proof.files.map(fileText)} />
      <Names title="Accepted by a person, beyond the scope" names={proof.accepted} />
      <Names title="Delivered as well, and not proven" names={proof.beyondScope} />
      <Names title="Changed files that no check feels" names={proof.felt?.unfelt ?? []} />
      <Part title="Scope">
        <p className="mono">{proof.scope.change.join('  ') || 'nothing'}</p>
        <p className="text-muted">Set by the {proof.scope.setBy}.</p>
      </Part>
      {requirements === null ? null : (
        <Part title="Requirements">
          <p>{requirements.statement}.</p>
          {requirements.requirements.map(({ requirementId, text, by }) => (
            <p key={requirementId}>
              <b>{requirementId}</b> {text} <span className="text-muted">checked by {by}</span>
            </p>
          ))}
        </Part>
      )}
      <Names title="Decisions of people" names={approvals.map(approvalText)} />
      <Names title="Disputes" names={disputes.map((one) => `${one.criterionId}: ${one.state}`)} />
      <p className="text-muted">
        Ledger up to row {ledger.head.seq}, <span className="mono">{ledger.head.hash}</span>. This
        page shows what the file says; “goalkeeper proof verify” says whether it holds.
      </p>
    </article>
  );
}

function Facts(props: { readonly predicate: GoalProofPredicate; readonly keyId: string }) {
  const { goal, proof, isolation } = props.predicate;
  const facts: [string, string][] = [
    ['Goal', goal.goalId],
    ['Completed', dateAndTime(goal.completedAt)],
    ['Tree before', proof.original],
    ['Tree proven', proof.tree],
    ['Signed by', props.keyId],
    ['Isolation', isolation ?? 'not recorded'],
    ...(proof.selfChecked
      ? [['Judge', 'the work includes files that judge it'] as [string, string]]
      : []),
  ];
  return (
    <dl className="proof-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Part title={title}>
      {[...new Set(names)].map((name) => (
        <p key={name} className="mono">
          {name}
        </p>
      ))}
    </Part>
  );
}

const fileText = ({ path, sha256 }: GoalProofPredicate['proof']['files'][number]): string =>
  `${path}  ${sha256 ?? 'removed'}`;

const approvalText = (one: GoalProofPredicate['approvals'][number]): string =>
  [one.question, one.state, one.decidedBy, one.note].filter(Boolean).join(' · ');
