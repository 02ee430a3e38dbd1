import type { Approval } from '../../api/types.ts';
import { DiffText } from '../../components/diff/diff-text.tsx';
import { EditDiff } from '../../components/diff/edit-diff.tsx';
import {
  type ApprovalFact,
  approvalDiffs,
  approvalEdits,
  approvalFacts,
  approvalSubject,
} from '../../view/approval-text.ts';

/** Everything that a decision rests on: the call, the claim, the changes. */
export function ApprovalFacts({ approval }: { readonly approval: Approval }) {
  const edits = approvalEdits(approval);
  const facts = approvalFacts(approval).filter(
    ({ name }) => edits.length === 0 || !['edits', 'content', 'path'].includes(name),
  );
  return (
    <div className="facts">
      {facts.map((fact) => (
        <Fact key={fact.name} fact={fact} />
      ))}
      {edits.length === 0 ? null : (
        <div>
          <h3 className="field-label mono">{approvalSubject(approval)}</h3>
          <EditDiff path={approvalSubject(approval) ?? ''} edits={edits} />
        </div>
      )}
      {approvalDiffs(approval).map(({ path, diff }) => (
        <div key={path}>
          <h3 className="field-label mono">{path}</h3>
          {diff === '' ? (
            <p className="text-muted">No text to show.</p>
          ) : (
            <DiffText path={path} text={diff} />
          )}
        </div>
      ))}
    </div>
  );
}

function Fact({ fact: { name, text, isCode } }: { readonly fact: ApprovalFact }) {
  return (
    <div>
      <h3 className="field-label">{name}</h3>
      {isCode ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        <pre tabIndex={0}>{text}</pre>
      ) : (
        <p className="pre-wrap">{text}</p>
      )}
    </div>
  );
}
