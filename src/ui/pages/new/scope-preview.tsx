import { setupSentence } from '../../../../schema/setup-text.ts';
import type { Estimate } from '../../api/types.ts';
import { plural } from '../../view/format.ts';

const setters = {
  caller: 'As you named it',
  host: 'Inferred from the project',
  person: 'As a person accepted it',
} as const;

/** What would count as the work, why, and what that means for the level that can be reached. */
export function ScopePreview({ look }: { readonly look: Estimate['scope'] }) {
  const { scope, files, total, notices, setups } = look;
  return (
    <div className="panel" aria-live="polite">
      <h2>What counts as the work</h2>
      {scope === null ? null : (
        <>
          <p>
            {setters[scope.setBy]}: <b>{plural(files, 'file')}</b> of {total} now.
          </p>
          <ul className="plain-list">
            <Globs globs={scope.change} why={scope.why} />
            <Globs globs={scope.keep} why={scope.why} lead="not" />
          </ul>
          {scope.base === null ? null : (
            <p className="text-small text-muted">
              Measured against <span className="mono">{scope.baseName ?? scope.base}</span>
              {scope.baseName === undefined ? '' : ` (${scope.base.slice(0, 12)})`}.
            </p>
          )}
        </>
      )}
      {setups.length === 0 ? null : (
        <>
          <h2>What installs packages for proofs</h2>
          <ul className="plain-list">
            {setups.map((setup) => (
              <li key={setup.lock ?? setup.tool} className="text-small">
                {setupSentence(setup)}
              </li>
            ))}
          </ul>
        </>
      )}
      {notices.map(({ code, level, text }) => (
        <p key={code} className={level === 'supported' ? 'tone-bad' : 'tone-warn'}>
          {text}
        </p>
      ))}
    </div>
  );
}

const MOST_SHOWN = 12;

function Globs(props: {
  readonly globs: readonly string[];
  readonly why: NonNullable<Estimate['scope']['scope']>['why'];
  readonly lead?: string;
}) {
  const { globs, why, lead } = props;
  const left = globs.length - MOST_SHOWN;
  return (
    <>
      {globs.slice(0, MOST_SHOWN).map((glob) => (
        <li key={glob}>
          {lead === undefined ? '' : `${lead} `}
          <span className="mono">{glob}</span>{' '}
          <span className="text-small text-muted">
            {why.find((one) => one.glob === glob)?.reason}
          </span>
        </li>
      ))}
      {left > 0 ? <li className="text-small text-muted">and {left} more</li> : null}
    </>
  );
}
