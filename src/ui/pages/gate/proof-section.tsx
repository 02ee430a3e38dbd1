import { Link } from 'wouter';
import { changedName } from '../../../../schema/change-name.ts';
import type { Gate, Goal } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { DiffText } from '../../components/diff/diff-text.tsx';
import { plural } from '../../view/format.ts';
import { shownName } from '../../view/shown-name.ts';

/** Most names in a list; the command line shows all of them. */
const SHOWN = 20;

/** What counts as the goal's work, how it was proven, and what the proof needs beyond it. */
export function ProofSection(props: { readonly goal: Goal; readonly gate: Gate }) {
  const { scope, notices = [] } = props.goal;
  const { proof, changes } = props.gate;
  return (
    <section aria-label="Proof">
      {scope === undefined ? null : (
        <>
          <h2 className="gate-heading">
            Scope{' '}
            <span className="pane-note">what the goal may change, set by the {scope.setBy}</span>
          </h2>
          <Globs scope={scope} />
          {scope.base === null ? null : (
            <p className="changed-check">
              <span className="text-muted">measured against </span>
              <span className="mono">{scope.baseName ?? scope.base}</span>{' '}
              <span className="text-muted">{scope.base.slice(0, 12)}</span>
            </p>
          )}
        </>
      )}
      {notices.map(({ code, text }) => (
        <p key={code} className="changed-check tone-warn">
          {text}
        </p>
      ))}
      {changes.length === 0 ? null : (
        <>
          <h2 className="gate-heading">
            Beyond the scope <span className="pane-note">and the proof needs it</span>
          </h2>
          {changes.map(({ name, kind, criterionIds, diff }) => (
            <div key={`${kind}${name}`} className="changed-check">
              <p>
                <span className="mono">{shownName(changedName(name))}</span>{' '}
                <span className="text-muted">
                  {SAID[kind]}, for {criterionIds.join(', ')}
                </span>
              </p>
              {diff === '' ? null : <DiffText path={changedName(name)} text={diff} />}
            </div>
          ))}
        </>
      )}
      {proof === null ? null : <Proof proof={proof} />}
      {proof === null || props.goal.status !== 'complete' ? null : (
        <p className="changed-check">
          <Link
            className={buttonClass({ isSmall: true })}
            href={`/goals/${props.goal.goalId}/proof`}
          >
            The proof as a file
          </Link>
        </p>
      )}
    </section>
  );
}

const SAID: Record<Gate['changes'][number]['kind'], string> = {
  beyond_scope: 'changed',
  packages: 'installed packages changed',
  test_skipped: 'test is skipped now',
  test_gone: 'test no longer runs',
  not_looked_at: 'no longer looked at',
  rewritten: 'changed by the work while the check ran',
  breaks: 'with it the checks of the original no longer hold',
};

function Globs(props: { readonly scope: NonNullable<Goal['scope']> }) {
  const { change, keep, why } = props.scope;
  if (change.length === 0) {
    const reasons = why.map(({ reason }) => reason).join('; ');
    return <p className="changed-check">Nothing yet: {reasons}.</p>;
  }
  const reasonOf = (glob: string) => why.find((one) => one.glob === glob)?.reason ?? '';
  const lines = [...change.map((glob) => ['', glob]), ...keep.map((glob) => ['except ', glob])];
  return lines.slice(0, SHOWN).map(([except = '', glob = '']) => (
    <p key={`${except}${glob}`} className="changed-check">
      <span className="text-muted">{except}</span>
      <span className="mono">{glob}</span> <span className="text-muted">{reasonOf(glob)}</span>
    </p>
  ));
}

function Proof(props: { readonly proof: NonNullable<Gate['proof']> }) {
  const { original, tree, files, accepted, beyondScope, selfChecked, setups = [] } = props.proof;
  const of = (path: string) => (accepted.includes(path) ? 'accepted by a person' : '');
  return (
    <>
      <h2 className="gate-heading">
        Proof <span className="pane-note">{plural(files.length, 'file')} on the original</span>
      </h2>
      <p className="changed-check">
        <span className="text-muted">from tree </span>
        <span className="mono">{original.slice(0, 12)}</span>
        <span className="text-muted"> to </span>
        <span className="mono">{tree.slice(0, 12)}</span>
        {selfChecked ? ' The work includes files that judge it.' : null}
      </p>
      {files.slice(0, SHOWN).map(({ path, sha256 }) => (
        <p key={path} className="changed-check">
          <span className="mono">{shownName(path)}</span>{' '}
          <span className="text-muted">
            {[sha256 === null ? 'removed' : '', of(path)].join(' ')}
          </span>
        </p>
      ))}
      {files.length > SHOWN ? (
        <p className="changed-check text-muted">and {files.length - SHOWN} more</p>
      ) : null}
      {setups.map(({ command, folder, added }) => (
        <p key={`${folder} ${command}`} className="changed-check text-muted">
          Packages by <span className="mono">{command}</span>
          {added.length === 0 ? null : `, added: ${added.slice(0, SHOWN).join(', ')}`}
        </p>
      ))}
      {beyondScope.length === 0 ? null : (
        <p className="changed-check text-muted">
          Not needed, and delivered as well: {beyondScope.slice(0, SHOWN).join(', ')}
        </p>
      )}
    </>
  );
}
