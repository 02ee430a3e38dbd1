import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callSeconds, callSubject, writtenIn } from '../../../../schema/call-subject.ts';
import { todosQuery } from '../../api/queries.ts';
import type { Call, Goal } from '../../api/types.ts';
import { EditDiff } from '../../components/diff/edit-diff.tsx';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { callResult } from '../../view/call-text.ts';
import { criterionText } from '../../view/criterion-text.ts';
import { evidenceOfCriterion, evidenceOfTodo } from '../../view/evidence.ts';
import { dateAndTime, duration } from '../../view/format.ts';
import { toneClass } from '../../view/tone.ts';
import type { LoadedCall } from './loaded-call.ts';
import { OutputViewer } from './output-viewer.tsx';

/** A call with its end, its standing, its output and its place in the chain. */
export function CallDetail({ goal, call }: { readonly goal: Goal; readonly call: LoadedCall }) {
  const result = callResult(call);
  const seconds = callSeconds(call);
  const { receipt } = call;
  return (
    <div className="call-detail">
      <pre>{callSubject(call) || call.tool}</pre>
      <dl className="key-values">
        <dt>Result</dt>
        <dd>
          <span className={`tag ${toneClass(result.tone)}`}>{result.text}</span> {receipt?.reason}
        </dd>
        <dt>Turn</dt>
        <dd>
          <Link className="link" href={`/goals/${goal.goalId}?turn=${call.turn}`}>
            {call.turn}
          </Link>
          {originWords[receipt?.origin ?? 'model']}
        </dd>
        {call.startedAt === null ? null : (
          <>
            <dt>Started</dt>
            <dd className="tabular">{dateAndTime(call.startedAt)}</dd>
          </>
        )}
        <dt>Duration</dt>
        <dd className="tabular">{seconds === null ? 'still running' : duration(seconds)}</dd>
        <Paths name="Read" paths={receipt?.reads} />
        <Paths name="Wrote" paths={receipt?.writes} />
        <dt>Counts as</dt>
        <dd>
          <CountsAs goal={goal} call={call} />
        </dd>
      </dl>
      <Arguments call={call} />
      <OutputViewer goalId={goal.goalId} call={call} />
      <div className="panel">
        <dl className="key-values">
          <dt>Hash</dt>
          <dd className="hash">{call.hash}</dd>
          <dt>Previous</dt>
          <dd className="hash">{call.previous}</dd>
        </dl>
      </div>
    </div>
  );
}

const originWords = {
  model: '',
  agent: ', as the agent says: no proof',
  gate: ', run by the host at the gate',
  baseline: ', run by the host before the work',
  dispute: ', run by the host for a dispute',
  person: ', ordered by a person',
} as const;

const MOST_PATHS = 30;

function Paths({
  name,
  paths,
}: {
  readonly name: string;
  readonly paths: readonly string[] | undefined;
}) {
  if (paths === undefined || paths.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className="mono pre-wrap">
        {paths.slice(0, MOST_PATHS).join('\n')}
        {paths.length > MOST_PATHS ? `\nand ${paths.length - MOST_PATHS} more` : ''}
      </dd>
    </>
  );
}

function CountsAs({ goal, call }: { readonly goal: Goal; readonly call: Call }) {
  const { data: todos } = useQuery(todosQuery(goal.goalId));
  const isMeant = ({ receipts }: { readonly receipts: readonly number[] }) =>
    call.settledSeq !== null && receipts.includes(call.settledSeq);
  const items = (todos?.items ?? []).filter(isMeant);
  const criteria = goal.criteria.filter(isMeant);
  if (items.length + criteria.length === 0) return <>evidence for nothing</>;
  return (
    <>
      {criteria.map((criterion) => (
        <div key={criterion.criterionId} className="row">
          <EvidenceIcon state={evidenceOfCriterion(goal, criterion)} />
          <span>
            <span className="mono text-muted">{criterion.criterionId}</span>{' '}
            {criterionText(criterion).what}
          </span>
        </div>
      ))}
      {items.map((item) => (
        <div key={item.id} className="row">
          <EvidenceIcon state={evidenceOfTodo(item)} />
          <span>
            <span className="mono text-muted">{item.id}</span> {item.content}
          </span>
        </div>
      ))}
    </>
  );
}

function Arguments({ call }: { readonly call: Call }) {
  if (call.arguments === null || call.arguments === undefined) return null;
  const edits = writtenIn(call);
  if (edits.length > 0) {
    const { path } = call.arguments as { path: string };
    return <EditDiff path={path} edits={edits} />;
  }
  const text =
    typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments, null, 2);
  if (text === '{}' || text.length < 4) return null;
  return (
    <details>
      <summary className="text-small text-strong">Arguments</summary>
      <pre>{text}</pre>
    </details>
  );
}
