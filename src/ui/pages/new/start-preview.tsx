import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { cliTwin, kindWords, rowProblem, type StartForm } from '../../view/start-form.ts';

/** The gate as it will be, and the same start from the command line. */
export function StartPreview({ form }: { readonly form: StartForm }) {
  return (
    <aside className="side" aria-label="Preview">
      <div className="panel">
        <h2>The gate will check</h2>
        {form.criteria.map((row) => (
          <div key={row.id} className="cr">
            <EvidenceIcon state={rowProblem(row) === '' ? 'open' : 'failed'} />
            <div>
              <div className={row.kind === 'approval' ? '' : 'cmd'}>{row.text || 'empty'}</div>
              <div className="xs t3">{kindWords[row.kind].rule}</div>
            </div>
          </div>
        ))}
        {form.criteria.length === 0 ? (
          <p className="xs t3">
            The project's own checks, as far as they work before the first write.
          </p>
        ) : null}
        <div className="cr">
          <EvidenceIcon state="open" />
          <div>
            Every todo item the agent writes
            <div className="xs t3">each with at least one receipt</div>
          </div>
        </div>
      </div>
      <div className="panel">
        <h2>Same thing from the CLI</h2>
        <pre>{cliTwin(form)}</pre>
      </div>
    </aside>
  );
}
