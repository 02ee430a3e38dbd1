import type { UseQueryResult } from '@tanstack/react-query';
import type { Estimate } from '../../api/types.ts';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { criterionKinds, rowProblems, rowTitle } from '../../view/criterion-form.ts';
import { compact, dollars, duration, plural } from '../../view/format.ts';
import { cliTwin, isBeyondCli, type StartForm } from '../../view/start-form.ts';
import { ScopePreview } from './scope-preview.tsx';

/** The gate and the scope as they will be, what the budget buys, and the same start from the command line. */
export function StartPreview(props: {
  readonly form: StartForm;
  readonly estimate: UseQueryResult<Estimate>;
}) {
  const { form, estimate } = props;
  return (
    <aside className="start-preview" aria-label="Preview">
      <Gate form={form} />
      {estimate.data === undefined ? null : <ScopePreview look={estimate.data.scope} />}
      <div className="panel" aria-live="polite">
        <h2>What the budget buys</h2>
        {estimate.data === undefined ? (
          <p className="text-small text-muted">
            {estimate.isError
              ? `The service would refuse this: ${estimate.error.message}`
              : 'As soon as objective, workspace and criteria are there.'}
          </p>
        ) : (
          <Bought estimate={estimate.data} />
        )}
      </div>
      <div className="panel">
        <h2>Same thing from the CLI</h2>
        <pre>{cliTwin(form)}</pre>
        {isBeyondCli(form) ? (
          <p className="text-small text-muted">
            Other criteria and policy stand in a file there: --criteria-file, or goalkeeper.yaml.
          </p>
        ) : null}
      </div>
    </aside>
  );
}

function Gate({ form }: { readonly form: StartForm }) {
  return (
    <div className="panel">
      <h2>The gate will check</h2>
      {form.criteria.map((row) => {
        const isWrong = Object.keys(rowProblems(row)).length > 0;
        const { label, rule } = criterionKinds[row.kind];
        return (
          <div key={row.id} className="criterion">
            <EvidenceIcon state={isWrong ? 'failed' : 'open'} />
            <div>
              <div className={row.kind === 'command' || row.kind === 'file' ? 'command-text' : ''}>
                {rowTitle(row) || label}
              </div>
              <div className="text-small text-muted">{rule}</div>
            </div>
          </div>
        );
      })}
      {form.criteria.length > 0 ? null : (
        <p className="text-small text-muted">
          {form.whenNone === 'judge'
            ? 'Nothing: a person judges when it claims to be done.'
            : 'The project’s own checks, as far as they work before the first write.'}
        </p>
      )}
      <div className="criterion">
        <EvidenceIcon state="open" />
        <div>
          Every todo item the agent writes
          <div className="text-small text-muted">each with at least one receipt</div>
        </div>
      </div>
    </div>
  );
}

const limitWords = {
  tokens: 'Tokens run',
  costUsd: 'Money runs',
  turns: 'Turns run',
  activeSeconds: 'Time runs',
  deadline: 'The deadline runs',
} as const;

/** States the basis of the estimate, or that there is none. */
function Bought({ estimate }: { readonly estimate: Estimate }) {
  const { past, buys, firstCall, workspace, model } = estimate;
  const { tokensPerTurn, costPerTurn, secondsPerTurn, turns, costUsd } = past;
  return (
    <>
      {buys === null || tokensPerTurn === null ? (
        <p>No goal with {model} has settled a turn yet, so nothing can be foretold.</p>
      ) : (
        <p>
          About <b>{plural(buys.turns, 'turn')}</b> at the median of what a turn took:{' '}
          {compact(Math.round(tokensPerTurn.p50))} tokens
          {costPerTurn === null || costPerTurn.p50 === 0 ? '' : `, ${dollars(costPerTurn.p50)}`}
          {secondsPerTurn === null ? '' : `, ${duration(secondsPerTurn.p50)}`}.{' '}
          {limitWords[buys.first]} out first.
        </p>
      )}
      {turns === null ? null : (
        <p>
          {past.completed === 1
            ? 'The one goal that completed took '
            : `Half of the ${past.completed} goals that completed took at most `}
          {plural(Math.ceil(turns.p50), 'turn')}
          {costUsd === null || costUsd.p50 === 0 ? '' : ` and ${dollars(costUsd.p50)}`}
          {past.completed === 1 ? '.' : `, nine in ten ${Math.ceil(turns.p90)}.`}
        </p>
      )}
      <p className="text-small text-muted">
        {past.scope === 'none'
          ? ''
          : `By ${plural(past.goals, 'earlier goal')} with ${model}${past.scope === 'model' ? '' : ' in this workspace'}. `}
        One call with its wrap-up takes {compact(firstCall.tokens)} tokens
        {firstCall.costUsd === null ? '' : `, up to ${dollars(firstCall.costUsd)}`}.
        {workspace.isKnown ? '' : ` The folder becomes the workspace ${workspace.name}.`}
      </p>
    </>
  );
}
