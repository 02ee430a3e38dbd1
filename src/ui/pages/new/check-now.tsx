import { tryCheck } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import type { CheckResult } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { IconPlayerPlay } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import {
  type CriterionRow,
  criterionKinds,
  rowProblems,
  toCriterion,
} from '../../view/criterion-form.ts';
import { duration } from '../../view/format.ts';
import { type PolicyForm, sandboxOf } from '../../view/policy-form.ts';
import { workspaceOf } from '../../view/start-form.ts';
import { toneClass } from '../../view/tone.ts';

const words = {
  met: 'holds already: a guard',
  unmet: 'unmet now',
  not_run: 'could not run',
} as const;
const tones = { met: 'ok', unmet: '', not_run: 'warn' } as const;

/** Runs a criterion once, in its workspace, before there is a goal. */
export function CheckNow(props: {
  readonly row: CriterionRow;
  readonly workspace: string;
  readonly policy: PolicyForm;
}) {
  const { row, workspace } = props;
  const policy = sandboxOf(props.policy);
  const isOffline = useIsOffline();
  const mayAct = useMayAct();
  const asked = JSON.stringify([toCriterion(row), workspace.trim(), policy]);
  const check = useAct({
    mutationFn: async () => {
      const body = { workspace: workspaceOf(workspace), criterion: toCriterion(row), policy };
      return { asked, result: await answerOf(tryCheck(body)) };
    },
  });
  if (!criterionKinds[row.kind].canRun || !mayAct) return null;
  const isReady = Object.keys(rowProblems(row)).length === 0 && workspace.trim() !== '';
  const why = workspace.trim() === '' ? 'Choose a workspace first' : undefined;
  // A result for other values says nothing about the present ones.
  const found = check.data?.asked === asked ? check.data.result : null;
  return (
    <div className="check-now">
      <Button
        isSmall
        title={why}
        disabled={!isReady || isOffline || check.isPending}
        onClick={() => check.mutate()}
      >
        <IconPlayerPlay size={13} stroke={1.75} aria-hidden="true" />
        {check.isPending ? 'Running…' : 'Run this check now'}
      </Button>
      <div role="status" className="grow">
        {check.isError ? <p className="field-error">{check.error.message}</p> : null}
        {found === null || check.isPending ? null : <Found result={found} />}
      </div>
    </div>
  );
}

function Found({ result }: { readonly result: CheckResult }) {
  const { state, reason, exitCode, output, isCut, durationMs, isolation } = result;
  return (
    <>
      <p>
        <span className={`tag ${toneClass(tones[state])}`}>{words[state]}</span>{' '}
        <span className="text-secondary">{reason}</span>{' '}
        <span className="text-small text-muted tabular">
          {exitCode === null ? '' : `exit ${exitCode}, `}
          {duration(durationMs / 1000)}
          {isolation === null ? '' : isolation === 'none' ? ', no sandbox' : ', in the sandbox'}
        </span>
      </p>
      {output.trim() === '' ? null : (
        <details>
          <summary>{isCut ? 'The end of its output' : 'Its output'}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long output is scrolled by keys. */}
          <pre tabIndex={0}>{output}</pre>
        </details>
      )}
    </>
  );
}
