import { useQuery } from '@tanstack/react-query';
import { workspacesQuery } from '../../api/queries.ts';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { type Problems, problemAt } from '../../view/start-form.ts';
import { kindChoices, type TriggerForm } from '../../view/trigger-form.ts';

interface Props {
  readonly form: TriggerForm;
  readonly problems: Problems;
  readonly onChange: (values: Partial<TriggerForm>) => void;
}

/** Who sends, what counts, what is read of it, and what it does. */
export function TriggerFields(props: Props) {
  const { form, problems, onChange } = props;
  return (
    <>
      <TextField
        label="Name"
        hint="such as ci"
        isCode
        most={63}
        input={{ autoComplete: 'off' }}
        value={form.name}
        problem={problemAt(problems, 'name')}
        onText={(name) => onChange({ name })}
      />
      <div className="two-columns settings-columns">
        <ChoiceField
          label="Sender"
          value={form.kind}
          problem={problemAt(problems, 'kind')}
          choices={kindChoices}
          onText={(kind) => onChange({ kind: kind as TriggerForm['kind'] })}
        />
        <TextField
          label="Most that act in an hour"
          input={{ inputMode: 'numeric' }}
          value={form.mostPerHour}
          problem={problemAt(problems, 'mostPerHour')}
          onText={(mostPerHour) => onChange({ mostPerHour })}
        />
        <TextField
          label="Secret"
          hint="the service makes one"
          isCode
          input={{ type: 'password', autoComplete: 'new-password' }}
          value={form.secret}
          problem={problemAt(problems, 'secret')}
          onText={(secret) => onChange({ secret })}
        />
        <TextField
          label="Events that count"
          hint="all, or names between commas"
          isCode
          value={form.events}
          problem={problemAt(problems, 'filter.events')}
          onText={(events) => onChange({ events })}
        />
      </div>
      <TextField
        label="Only where, one PATH=VALUE a line"
        hint="$.action=opened"
        isCode
        isLong
        value={form.where}
        problem={problemAt(problems, 'filter.where')}
        onText={(where) => onChange({ where })}
      />
      <TextField
        label="Read of the payload, one NAME=PATH a line"
        hint="title=$.issue.title"
        isCode
        isLong
        value={form.parameters}
        problem={problemAt(problems, 'parameters')}
        onText={(parameters) => onChange({ parameters })}
      />
      <ChoiceField
        label="What it does"
        value={form.does}
        problem={problems.action ?? problems['action.kind'] ?? ''}
        choices={[
          ['start', 'a goal starts'],
          ['message', 'something is said to a goal'],
          ['event', 'goals that wait for an event wake up'],
        ]}
        onText={(does) => onChange({ does: does as TriggerForm['does'] })}
      />
      <ActionFields {...props} />
      <p className="text-small text-muted">
        {'{{name}}'} stands for what was read: any text in words for people and models, one plain
        word elsewhere.
      </p>
    </>
  );
}

function ActionFields(props: Props) {
  const { form, problems, onChange } = props;
  if (form.does === 'start') return <StartsGoal {...props} />;
  const says = (
    <TextField
      label="What it says"
      hint="CI of {{branch}}: {{result}}"
      isLong
      value={form.text}
      problem={problemAt(problems, 'action.text')}
      onText={(text) => onChange({ text })}
    />
  );
  if (form.does === 'event') {
    return (
      <>
        <TextField
          label="Event, as goals wait for it"
          hint="ci"
          isCode
          value={form.brings}
          problem={problemAt(problems, 'action.name')}
          onText={(brings) => onChange({ brings })}
        />
        {says}
      </>
    );
  }
  return (
    <>
      <div className="two-columns settings-columns">
        <ChoiceField
          label="To"
          value={form.to}
          choices={[
            ['goal', 'a goal'],
            ['thread', 'the current goal of a thread'],
          ]}
          onText={(to) => onChange({ to: to as TriggerForm['to'] })}
        />
        <TextField
          label={form.to === 'goal' ? 'Goal' : 'Thread'}
          isCode
          value={form.target}
          problem={problemAt(problems, 'action.goalId') || problemAt(problems, 'action.threadId')}
          onText={(target) => onChange({ target })}
        />
      </div>
      {says}
    </>
  );
}

/** Fields of the start that have one of their own here. */
const OWN = /^action\.goal\.(objective|workspace|criteria)/;

function StartsGoal({ form, problems, onChange }: Props) {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const rest = Object.entries(problems)
    .filter(([field]) => field.startsWith('action.goal') && !OWN.test(field))
    .map(([field, text]) => (field === 'action.goal' ? text : `${field.slice(12)}: ${text}`));
  return (
    <>
      <TextField
        label="Objective"
        hint="Issue {{number}}: {{title}}"
        isLong
        value={form.objective}
        problem={problemAt(problems, 'action.goal.objective')}
        onText={(objective) => onChange({ objective })}
      />
      <div className="two-columns settings-columns">
        <TextField
          label="Workspace, by name or path"
          isCode
          input={{ list: 'trigger-workspaces', autoComplete: 'off' }}
          value={form.workspace}
          problem={problemAt(problems, 'action.goal.workspace')}
          onText={(workspace) => onChange({ workspace })}
        />
        <TextField
          label="Criterion: this command exits 0"
          hint="npm test"
          isCode
          value={form.criterion}
          problem={problemAt(problems, 'action.goal.criteria')}
          onText={(criterion) => onChange({ criterion })}
        />
      </div>
      <datalist id="trigger-workspaces">
        {workspaces.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label="Other fields of the start, as JSON"
        hint={'{ "budget": { "turns": 20 } }'}
        isCode
        isLong
        value={form.rest}
        problem={rest.join(' ')}
        onText={(text) => onChange({ rest: text })}
      />
    </>
  );
}
