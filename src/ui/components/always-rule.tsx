import type { Approval } from '../api/types.ts';

/** What "always" lets run, word for word as it will be stored. */
export function AlwaysRule({ always }: { readonly always: NonNullable<Approval['always']> }) {
  return (
    <>
      <p>
        The call runs now, and one rule is stored: in every goal of <b>{always.workspace}</b> this
        runs without a question.
      </p>
      <p className="field-label">Rule</p>
      <p className="mono break always-rule">{always.says}</p>
      <p className="text-small text-secondary">
        It covers this call and no other, whatever the programs that it names contain by then. What
        a policy denies stays denied. The rule is in the security log and holds until it is revoked
        under Settings, Rules.
      </p>
    </>
  );
}
