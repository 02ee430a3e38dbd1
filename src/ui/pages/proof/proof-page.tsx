import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { GoalProofPredicate } from '../../../../schema/proof-bundle.ts';
import { ApiError } from '../../api/problem.ts';
import { fetchProofPage, proofQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { download } from '../../components/download.ts';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { useTitle } from '../../shell/use-title.ts';
import { compact, dateAndTime, dollars, plural } from '../../view/format.ts';
import { decisionWords } from '../../view/inbox-text.ts';
import { criterionFacts, readProof, type ShownProof } from '../../view/proof-bundle.ts';
import { provenVerdict } from '../../view/proof-verdict.ts';
import { shownName } from '../../view/shown-name.ts';
import { Globs, NoProof, OpenProof } from './open-proof.tsx';
import {
  Beyond,
  Criteria,
  Facts,
  Felt,
  Panel,
  Part,
  Requirements,
  VerdictHead,
} from './proof-parts.tsx';
import { ShareDialog } from './share-dialog.tsx';

/** A goal's proof on one page, as it is signed; made to be printed. */
export function ProofPage({ goal }: { readonly goal: Goal }) {
  const { goalId } = goal;
  useTitle(`Proof of ${goalId}`);
  const isComplete = goal.status === 'complete';
  const proof = useQuery({ ...proofQuery(goalId), enabled: isComplete });
  if (!isComplete) return <OpenProof goal={goal} />;
  if (proof.isPending) return <SkeletonLines label="Loading the proof" widths={[60, 80, 70, 75]} />;
  if (proof.data !== undefined) return <Proof goal={goal} shown={readProof(proof.data)} />;
  if (proof.error instanceof ApiError && proof.error.problem.status < 500) {
    return <NoProof goalId={goalId} why={proof.error.message} />;
  }
  return <FailedBox what="The proof" error={proof.error} onRetry={() => void proof.refetch()} />;
}

function Proof({ goal, shown }: { readonly goal: Goal; readonly shown: ShownProof }) {
  const { predicate } = shown;
  const { proof, result, approvals, disputes } = predicate;
  const verdict = provenVerdict(predicate);
  const factsOf = (id: string) => {
    const one = predicate.criteria.find(({ criterionId }) => criterionId === id);
    return one === undefined ? '' : criterionFacts(predicate, one);
  };
  return (
    <article className={`proof-page look-${verdict.look}`}>
      <p className="pre-wrap print-only">{predicate.goal.objective}</p>
      <VerdictHead verdict={verdict}>
        <Acts goalId={goal.goalId} text={shown.text} />
      </VerdictHead>
      <div className="proof-columns">
        <div>
          <Part title="What is claimed">
            <p className="pre-wrap">{result}</p>
          </Part>
          <Requirements verdict={verdict} />
          <Criteria verdict={verdict} factsOf={factsOf} />
          <Felt felt={verdict.felt} />
          <Files goalId={goal.goalId} files={proof.files} />
          <Beyond beyond={verdict.beyond} />
          <Names title="Decisions of people" names={approvals.map(approvalText)} />
          <Names
            title="Disputes"
            names={disputes.map(
              (one) => `${one.criterionId}: ${decisionWords[one.state].toLowerCase()}`,
            )}
          />
        </div>
        <Side goal={goal} shown={shown} />
      </div>
    </article>
  );
}

function Acts({ goalId, text }: { readonly goalId: string; readonly text: string }) {
  const mayAct = useMayAct();
  const [isSharing, setSharing] = useState(false);
  return (
    <>
      {mayAct ? <Button onClick={() => setSharing(true)}>Share link…</Button> : null}
      <Button onClick={() => window.print()}>Print</Button>
      <Button
        onClick={() => download(`${goalId}.intoto.jsonl`, 'application/vnd.in-toto.bundle', text)}
      >
        Download the signed file
      </Button>
      <OnePage goalId={goalId} />
      <CopyButton text={`goalkeeper pr ${goalId}`} words="Copy goalkeeper pr" />
      {isSharing ? <ShareDialog goalId={goalId} onClose={() => setSharing(false)} /> : null}
    </>
  );
}

/** All of it, with what its runs printed, for whoever has neither a token nor a link. */
function OnePage({ goalId }: { readonly goalId: string }) {
  const toast = useToast();
  const isOffline = useIsOffline();
  const page = useAct({
    mutationFn: () => fetchProofPage(goalId),
    onSuccess: (html) => download(`${goalId}.html`, 'text/html', html),
    onError: (error) => toast(error.message),
  });
  return (
    <Button disabled={page.isPending || isOffline} onClick={() => page.mutate()}>
      Download as one page
    </Button>
  );
}

function Side({ goal, shown }: { readonly goal: Goal; readonly shown: ShownProof }) {
  const { predicate, keyId } = shown;
  const { proof, isolation, ledger } = predicate;
  const { usage } = goal;
  const command = `goalkeeper proof verify ${goal.goalId}.intoto.jsonl --key installation.pem`;
  return (
    <div className="proof-side">
      <Panel title="Proof run">
        <Facts
          facts={[
            ['Completed', dateAndTime(predicate.goal.completedAt)],
            ['Tree before', <Mono key="before" text={proof.original} />],
            ['Tree proven', <Mono key="proven" text={proof.tree} />],
            ...(proof.setups ?? []).map(
              ({ command: setup }) => ['Setup', <Mono key={setup} text={setup} />] as const,
            ),
            ...(proof.selfChecked
              ? [['Judge', 'the work includes files that judge it'] as const]
              : []),
          ]}
        />
      </Panel>
      <Panel title="Scope">
        <Facts
          facts={[
            ['Set by', `the ${proof.scope.setBy}`],
            ['May change', <Globs key="change" globs={proof.scope.change} />],
            ['Kept', <Globs key="keep" globs={proof.scope.keep} />],
          ]}
        />
      </Panel>
      <Canaries predicate={predicate} />
      <Panel title="Isolation and cost">
        <Facts
          facts={[
            ['Commands', isolation ?? 'not recorded'],
            ['Model', predicate.goal.model],
            ['Cost', dollars(usage.costUsd)],
            ['Use', `${compact(usage.tokens)} tokens, ${plural(usage.turns, 'turn')}`],
          ]}
        />
      </Panel>
      <Panel title="Check it yourself">
        <Facts
          facts={[
            ['Ledger', <Mono key="head" text={`${ledger.head.seq} rows, ${ledger.head.hash}`} />],
            ['Signed by', <Mono key="key" text={keyId} />],
          ]}
        />
        <pre className="share-link">{command}</pre>
        <p className="text-small text-muted">
          It needs no service; <span className="mono">--rerun</span> repeats the proof. This page
          shows what the file says.
        </p>
        <CopyButton isSmall text={command} words="Copy" />
      </Panel>
    </div>
  );
}

function Canaries({ predicate }: { readonly predicate: GoalProofPredicate }) {
  const tried = predicate.proof.criteria.flatMap(({ criterionId, canaries, tests }) => [
    ...(canaries === undefined
      ? []
      : [[`${criterionId} where it must fail`, CANARIES[canaries.state]] as const]),
    ...(tests.now === null
      ? []
      : [
          [
            `${criterionId} tests`,
            `${tests.before ?? 'unknown'} before, ${tests.now} now`,
          ] as const,
        ]),
  ]);
  if (tried.length === 0) return null;
  return (
    <Panel title="Canaries and tests">
      <Facts facts={tried} />
    </Panel>
  );
}

const CANARIES = {
  held: 'failed, as it must',
  deaf: 'held all the same: it is deaf',
  bent: 'was bent by the work',
  not_applied: 'not tried',
} as const;

const Mono = ({ text }: { readonly text: string }) => <span className="mono">{text}</span>;

function Names({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Part title={title}>
      {[...new Set(names)].map((name) => (
        <p key={name} className="mono proof-row">
          {name}
        </p>
      ))}
    </Part>
  );
}

/** Each leads to its lines. */
function Files(props: {
  readonly goalId: string;
  readonly files: GoalProofPredicate['proof']['files'];
}) {
  if (props.files.length === 0) return null;
  return (
    <Part title="Files of the work">
      {props.files.map(({ path, sha256 }) => (
        <p key={path} className="mono proof-row">
          <Link
            className="link"
            href={`/goals/${props.goalId}/changes?file=${encodeURIComponent(path)}`}
          >
            {shownName(path)}
          </Link>{' '}
          <span className="text-muted">{sha256 ?? 'removed'}</span>
        </p>
      ))}
    </Part>
  );
}

const approvalText = (one: GoalProofPredicate['approvals'][number]): string =>
  [one.question, one.state, one.decidedBy, one.note].filter(Boolean).join(' · ');
