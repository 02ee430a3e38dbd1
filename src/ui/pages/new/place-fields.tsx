import { useQuery } from '@tanstack/react-query';
import { agentsQuery, modelsQuery, workspacesQuery } from '../../api/queries.ts';
import type { Agent, Model, Workspace } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { type Problems, problemAt, type StartForm, treeWords } from '../../view/start-form.ts';

interface Props {
  readonly form: StartForm;
  readonly problems: Problems;
  readonly onChange: (values: Partial<StartForm>) => void;
}

/** Where it works, and who: the own loop with a model, or an agent of the settings. */
export function PlaceFields({ form, problems, onChange }: Props) {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const chosen = workspaces.find(({ name }) => name === form.workspace.trim());
  return (
    <section className="form-section">
      <h2>Where and with what</h2>
      <div className="two-columns">
        <div>
          <TextField
            label="Workspace, by name or path"
            isCode
            input={{ list: 'workspaces', autoComplete: 'off' }}
            value={form.workspace}
            problem={problemAt(withoutMode(problems), 'workspace')}
            onText={(workspace) => onChange({ workspace })}
          />
          <datalist id="workspaces">
            {workspaces.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {chosen === undefined ? null : (
            <p className="text-small text-muted">
              {isFree(chosen) || form.tree === 'worktree'
                ? `${isFree(chosen) ? 'Free' : 'In use'}, on ${chosen.host}`
                : 'In use: a goal that writes there waits for its turn'}
            </p>
          )}
        </div>
        <div>
          <ChoiceField
            label="It works"
            value={form.tree}
            problem={problems['workspace.mode'] ?? ''}
            choices={[
              ['shared', 'in the workspace itself'],
              ['worktree', 'in a git worktree of its own'],
            ]}
            onText={(tree) => onChange({ tree: tree as StartForm['tree'] })}
          />
          <BeginsWith form={form} problems={problems} onChange={onChange} />
        </div>
        <AgentField form={form} problems={problems} onChange={onChange} />
        {form.agent === '' ? (
          <LoopFields form={form} problems={problems} onChange={onChange} />
        ) : null}
      </div>
      {form.agent === '' ? <UnusableModels /> : null}
    </section>
  );
}

/** The last commit, or what another goal had written. */
function BeginsWith({ form, problems, onChange }: Props) {
  const { begins, tree } = form;
  if (tree !== 'worktree' || begins === null)
    return <p className="text-small text-muted">{treeWords[tree]}</p>;
  const problem = problemAt(problems, 'workspace.from');
  const when = begins.turn === 0 ? 'before its first write' : `after turn ${begins.turn}`;
  return (
    <>
      <p className="text-small text-muted">
        It begins with the files of <span className="mono">{begins.goalId}</span> as they were{' '}
        {when}, on a branch of its own.{' '}
        <Button look="subtle" isSmall onClick={() => onChange({ begins: null })}>
          Begin with the last commit
        </Button>
      </p>
      {problem === '' ? null : (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Only people choose an agent, since its tools are its own. */
function AgentField({ form, problems, onChange }: Props) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const mayAct = useMayAct();
  const chosen = agents.find(({ agent }) => agent === form.agent);
  // A draft may name one that is gone: the service says so at the field, and it can be unset.
  if (!mayAct || (agents.length === 0 && form.agent === '')) return null;
  const names = [...new Set([...agents.map(({ agent }) => agent), form.agent])].filter(Boolean);
  return (
    <div>
      <ChoiceField
        label="Who works"
        value={form.agent}
        problem={problemAt(problems, 'agent')}
        choices={[
          ['', 'Goalkeeper’s own loop, with a model'],
          ...names.map((agent) => [agent, `${agent}, with its own tools and models`] as const),
        ]}
        onText={(agent) => onChange({ agent })}
      />
      {chosen === undefined ? null : <p className="text-small text-muted">{agentWords(chosen)}</p>}
    </div>
  );
}

const agentWords = ({ reportsUsage }: Agent): string =>
  `What it says proves nothing: the gate runs the criteria itself.${
    reportsUsage ? '' : ' It tells no cost, so only turns, time and deadline can be limited.'
  }`;

function LoopFields({ form, problems, onChange }: Props) {
  const { data: models = [] } = useQuery(modelsQuery);
  const fallback = models.filter(({ model, isUsable }) => isUsable && model !== form.model);
  return (
    <>
      <ChoiceField
        label="Mode"
        value={form.mode}
        choices={[
          ['agent', 'works: reads, writes and runs'],
          ['plan', 'plans: changes nothing'],
          ['gather', 'gathers: reads only'],
        ]}
        onText={(mode) => onChange({ mode: mode as StartForm['mode'] })}
      />
      <ChoiceField
        label="Model"
        value={form.model}
        problem={problemAt(problems, 'model')}
        choices={[
          ['', defaultWords(models)],
          ...models
            .filter(({ isUsable }) => isUsable)
            .map((one) => [one.model, modelWords(one)] as const),
        ]}
        onText={(model) => onChange({ model })}
      />
      <ChoiceField
        label="Stands in while its provider fails"
        value={form.fallbackModel}
        problem={problemAt(problems, 'fallbackModel')}
        choices={[
          ['', 'none: it waits for the provider'],
          ...fallback.map((one) => [one.model, modelWords(one)] as const),
        ]}
        onText={(fallbackModel) => onChange({ fallbackModel })}
      />
    </>
  );
}

function UnusableModels() {
  const { data: models = [] } = useQuery(modelsQuery);
  const unusable = models.filter(({ isUsable }) => !isUsable);
  if (unusable.length === 0) return null;
  return (
    <ul className="text-small text-muted plain-list unusable-models">
      {unusable.map(({ model, problem }) => (
        <li key={model}>
          <span className="mono">{model}</span>: {problem}
        </li>
      ))}
    </ul>
  );
}

const isFree = ({ leaseGoalId, leaseCheckId }: Workspace): boolean =>
  leaseGoalId === null && leaseCheckId === null;

/** How it works in a workspace has fields beside the one that names it. */
const withoutMode = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([name]) => !BESIDE.test(name)));

const BESIDE = /^workspace\.(mode$|from)/;

function defaultWords(models: readonly Model[]): string {
  const own = models.find(({ isDefault }) => isDefault);
  return own === undefined ? 'The service has no default' : `${modelWords(own)}, the default`;
}

const modelWords = ({ model, prices }: Model): string =>
  prices === null
    ? `${model}, no known price`
    : `${model}, $${prices.input} in, $${prices.output} out a million tokens`;
