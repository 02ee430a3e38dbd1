import { ChoiceField, Problem, TextField } from '../../components/text-field.tsx';
import { jsonText } from '../../view/json-field.ts';
import type { Problems } from '../../view/start-form.ts';
import type { ChosenTemplate } from './use-template.ts';

/** Which template of which workspace, the values of its parameters, and the start that it is then. */
export function TemplateFields(props: {
  readonly chosen: ChosenTemplate;
  readonly problems: Problems;
  readonly onChange: () => void;
}) {
  const { chosen, onChange } = props;
  const { form, setForm, template, found, workspaces, start } = chosen;
  const problems = { ...props.problems, ...chosen.refused };
  const set = (values: Partial<typeof form>) => {
    onChange();
    setForm({ ...form, ...values });
  };
  const { file = null, isCommitted = null, items = [] } = found.data ?? {};
  return (
    <section className="form-section">
      <div className="two-columns">
        <ChoiceField
          label="Workspace"
          value={form.workspace}
          problem={problems.workspace ?? ''}
          choices={[['', 'choose one'], ...workspaces.map(({ name }) => [name, name] as const)]}
          onText={(workspace) => set({ workspace, template: '', values: {} })}
        />
        {form.workspace === '' ? null : (
          <ChoiceField
            label="Template"
            value={form.template}
            problem={problems.template ?? ''}
            choices={[
              ['', items.length === 0 ? 'it has none' : 'choose one'],
              ...items.map(({ name }) => [name, name] as const),
            ]}
            onText={(name) => set({ template: name, values: {} })}
          />
        )}
      </div>
      {found.isSuccess && items.length === 0 ? (
        <p className="text-small text-muted">
          Templates stand in goalkeeper.yaml at the root of the workspace
          {file === null ? ', which it has not.' : '; this one names none.'}
        </p>
      ) : null}
      {isCommitted === false ? (
        <Problem text={`${file} is not as in the last commit: look at what it says.`} />
      ) : null}
      {template?.about === undefined ? null : <p>{template.about}</p>}
      {template?.parameters.map(({ name, about, default: value }) => (
        <div key={name}>
          <TextField
            label={name}
            {...(value === undefined ? {} : { hint: value })}
            input={{ autoComplete: 'off' }}
            value={form.values[name] ?? ''}
            problem={problems[`values.${name}`] ?? ''}
            onText={(text) => set({ values: { ...form.values, [name]: text } })}
          />
          {about === undefined ? null : <p className="text-small text-muted">{about}</p>}
        </div>
      ))}
      {start === undefined ? null : (
        <>
          <h3 className="field-label">What it starts, as the file says it now</h3>
          <div className="panel">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so needs keys. */}
            <pre tabIndex={0}>{jsonText(start)}</pre>
          </div>
        </>
      )}
    </section>
  );
}
