import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ChoiceField, Problem, TextField } from '../../components/text-field.tsx';
import { IconPlus, IconX } from '../../generated/icons.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { continuationFields, type PolicyForm, type RuleRow } from '../../view/policy-form.ts';
import { type Problems, problemAt } from '../../view/start-form.ts';

interface Props {
  readonly policy: PolicyForm;
  readonly problems: Problems;
  readonly onChange: (policy: PolicyForm) => void;
}

/** For whom it waits: in the form, as the service calls it, in words, and what holds without it. */
const waits = [
  ['approvalHours', 'approvalTimeoutSeconds', 'Approvals count as denied after, hours', 'never'],
  [
    'questionHours',
    'questionTimeoutSeconds',
    'Questions are waited for, hours',
    'as long as it takes',
  ],
  ['questionDefault', 'questionDefault', 'Then the answer is', 'what the question names'],
] as const;

/** How it may end, whom it asks, and what its tools may do. */
export function PolicyFields({ policy, problems, onChange }: Props) {
  const set = (values: Partial<PolicyForm>) => onChange({ ...policy, ...values });
  const at = (field: string) => problemAt(problems, `policy.${field}`);
  const mayAct = useMayAct();
  return (
    <section className="form-section">
      <h2>Policy</h2>
      <p>How it may end, whom it waits for, and what its tools may do.</p>
      <div className="two-columns">
        <ChoiceField
          label="It completes by itself"
          value={policy.completion}
          problem={at('completion')}
          choices={[
            ['', 'when verified: a check that failed at the start holds'],
            ['supported', 'also when only guards and receipts support it'],
          ]}
          onText={(completion) => set({ completion: completion as PolicyForm['completion'] })}
        />
        <ChoiceField
          label="A requirement that nothing checks"
          value={policy.coverage}
          problem={at('coverage')}
          choices={[
            ['', 'is named in the result'],
            ['all', 'is a question to a person'],
          ]}
          onText={(coverage) => set({ coverage: coverage as PolicyForm['coverage'] })}
        />
        <ChoiceField
          label="After an effect whose end nobody saw"
          value={policy.onUnknown}
          problem={at('onUnknown')}
          choices={[
            ['', 'the agent is told and goes on'],
            ['ask', 'a person is asked'],
          ]}
          onText={(onUnknown) => set({ onUnknown: onUnknown as PolicyForm['onUnknown'] })}
        />
        <ChoiceField
          label="When Temporal loses it"
          value={policy.onLost}
          problem={at('onLost')}
          choices={[
            ['', 'a person is asked'],
            ['resume', 'it goes on by itself'],
          ]}
          onText={(onLost) => set({ onLost: onLost as PolicyForm['onLost'] })}
        />
        {mayAct ? (
          <>
            <ChoiceField
              label="Network of its commands"
              value={policy.network}
              problem={at('sandbox')}
              choices={[
                ['', 'none'],
                ['listed', 'the domains that are named'],
                ['host', 'the machine’s, with all that listens there'],
              ]}
              onText={(network) => set({ network: network as PolicyForm['network'] })}
            />
            <Reach policy={policy} onDomains={(domains) => set({ domains })} />
            {waits.map(([name, setting, label, hint]) => (
              <TextField
                key={name}
                label={label}
                hint={hint}
                value={policy[name]}
                problem={at(setting)}
                onText={(text) => set({ [name]: text })}
              />
            ))}
          </>
        ) : null}
      </div>
      <Rules policy={policy} problems={problems} onChange={onChange} />
      <details className="more-options">
        <summary>When it pauses by itself</summary>
        <div className="two-columns">
          {continuationFields.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              hint="default"
              input={{ inputMode: 'numeric' }}
              value={policy.continuation[name] ?? ''}
              problem={at(`continuation.${name}`)}
              onText={(text) => set({ continuation: { ...policy.continuation, [name]: text } })}
            />
          ))}
        </div>
      </details>
    </section>
  );
}

/** What the choice of a network opens. */
function Reach(props: {
  readonly policy: PolicyForm;
  readonly onDomains: (domains: string) => void;
}) {
  const { network, domains } = props.policy;
  if (network === 'listed') {
    return (
      <TextField
        label="Domains that its commands reach"
        hint="registry.npmjs.org, *.example.org, git.example.org:8443"
        isCode
        isLong
        value={domains}
        onText={props.onDomains}
      />
    );
  }
  if (network !== 'host') return null;
  return (
    <p className="tone-bad text-small">
      Its commands reach every service of the machine and its network that asks for no password.
    </p>
  );
}

const decisions = [
  ['allow', 'Allow'],
  ['ask', 'Ask'],
  ['deny', 'Off'],
] as const;

function Rules({ policy, problems, onChange }: Props) {
  const set = (rules: readonly RuleRow[]) => onChange({ ...policy, rules });
  const change = (id: string, values: Partial<RuleRow>) =>
    set(policy.rules.map((rule) => (rule.id === id ? { ...rule, ...values } : rule)));
  const add = () =>
    set([
      ...policy.rules,
      { id: crypto.randomUUID(), tool: 'run_command', command: '', path: '', decision: 'ask' },
    ]);
  return (
    <>
      <h3 className="field-label tool-rules-head">Tools</h3>
      <p className="text-small text-muted">
        The first rule that matches decides, before those of workspace and service. “Ask” holds the
        goal until a person decides.
      </p>
      {policy.rules.map((rule, index) => (
        <div key={rule.id} className="tool-rule">
          <TextField
            label={`Tool of rule ${index + 1}`}
            isBare
            isCode
            hint="tool, such as run_command or mcp.*"
            value={rule.tool}
            onText={(tool) => change(rule.id, { tool })}
          />
          <TextField
            label={`Command of rule ${index + 1}`}
            isBare
            isCode
            hint="command, such as git push"
            value={rule.command}
            onText={(command) => change(rule.id, { command })}
          />
          <TextField
            label={`Path of rule ${index + 1}`}
            isBare
            isCode
            hint="path, such as secrets/**"
            value={rule.path}
            onText={(path) => change(rule.id, { path })}
          />
          <Segmented
            label={`Decision of rule ${index + 1}`}
            choices={decisions}
            chosen={rule.decision}
            onChoose={(decision) => change(rule.id, { decision })}
          />
          <Button
            look="subtle"
            isIcon
            aria-label={`Remove rule ${index + 1}`}
            onClick={() => set(policy.rules.filter(({ id }) => id !== rule.id))}
          >
            <IconX size={14} stroke={1.75} aria-hidden="true" />
          </Button>
          <Problem text={problemAt(problems, `policy.tools.${index}`)} />
        </div>
      ))}
      <Button isSmall onClick={add}>
        <IconPlus size={14} stroke={1.75} aria-hidden="true" />
        Add rule
      </Button>
    </>
  );
}
