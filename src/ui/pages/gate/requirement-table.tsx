import type { Gate, Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { EvidenceIcon } from '../../components/evidence-icon.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import type { EvidenceState } from '../../view/evidence.ts';
import type { Requirement } from '../../view/requirements.ts';
import { FreshnessLine } from './freshness-line.tsx';

export function RequirementTable(props: {
  readonly title: string;
  readonly goal: Goal;
  readonly requirements: readonly Requirement[];
  readonly freshness: Gate['freshness'];
  readonly empty: string;
  readonly onApprove: () => void;
}) {
  const { title, requirements } = props;
  const of = (wanted: EvidenceState) => requirements.filter(({ state }) => state === wanted).length;
  const met = of('here') + of('holds');
  return (
    <section aria-label={title}>
      <h2 className="gate-heading">
        {title}{' '}
        <span className="pane-note">
          {requirements.length === 0
            ? 'none'
            : `${of('proved')} of ${requirements.length} proved${met > 0 ? `, ${met} met` : ''}`}
        </span>
      </h2>
      {requirements.length === 0 ? <p className="text-muted">{props.empty}</p> : null}
      <div className="requirement-table">
        {requirements.length === 0 ? null : (
          <div className="requirement-row requirement-head" aria-hidden="true">
            <span />
            <span>Requirement</span>
            <span>Receipt against last write</span>
            <span>What would satisfy it</span>
            <span>Who</span>
          </div>
        )}
        {requirements.map((requirement) => (
          <Line
            key={requirement.id}
            goal={props.goal}
            requirement={requirement}
            freshness={props.freshness}
            onApprove={props.onApprove}
          />
        ))}
      </div>
    </section>
  );
}

function Line(props: {
  readonly goal: Goal;
  readonly requirement: Requirement;
  readonly freshness: Gate['freshness'];
  readonly onApprove: () => void;
}) {
  const { id, text, isCode, rule, state, satisfy, printed, who } = props.requirement;
  const mayAct = useMayAct();
  const isOver = props.goal.status === 'complete';
  return (
    <div className="requirement-row">
      <EvidenceIcon state={state} />
      <div>
        <div className={isCode ? 'mono text-strong' : 'text-strong'}>{text}</div>
        <div className="text-small text-muted">
          <span className="mono">{id}</span> {rule}
        </div>
      </div>
      <FreshnessLine
        goal={props.goal}
        requirement={props.requirement}
        freshness={props.freshness}
      />
      <div className="text-small pre-wrap satisfy">
        {satisfy === '' ? (
          <span className="text-muted">{isOver ? '' : 'Nothing to do'}</span>
        ) : (
          satisfy
        )}
        {printed === '' ? null : (
          <details>
            <summary>The end of what it printed</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long output is scrolled by keys. */}
            <pre tabIndex={0}>{printed}</pre>
          </details>
        )}
      </div>
      <div>
        {who === '' || isOver ? null : state === 'waiting' && mayAct ? (
          <Button look="keeper" isSmall onClick={props.onApprove}>
            Review
          </Button>
        ) : (
          <span className={`tag ${who === 'Agent' ? 'tone-accent' : ''}`}>
            {who === 'You' ? 'Person' : who}
          </span>
        )}
      </div>
    </div>
  );
}
