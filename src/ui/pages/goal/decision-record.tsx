import { stageOf } from '../../../../schema/ladder.ts';
import { missingName } from '../../../../schema/missing-name.ts';
import { ruleText } from '../../../../schema/rule-text.ts';
import type { Goal, Turn } from '../../api/types.ts';
import { actionOf, rungsOf, whyTitle } from '../../view/ladder.ts';
import { toneClass } from '../../view/tone.ts';
import { ScoreBar } from './score-bar.tsx';

type Decision = NonNullable<Turn['decision']>;

/** Why, in one sentence; then which rule fired, what was missing, and the score. */
export function DecisionRecord(props: {
  readonly goal: Goal;
  readonly turn: number;
  readonly decision: Decision;
}) {
  const { goal, decision } = props;
  const { word, tone } = actionOf(decision.action);
  return (
    <div className="turn-section">
      <h3>{whyTitle(decision.action)}</h3>
      <div className="decision">
        <div className="decision-head">
          <span className={`tag ${toneClass(tone)}`}>{word}</span>
          <span className="mono text-small">{ruleText(decision.rule, decision.ruleName)}</span>
          {decision.isWarning ? <span className="tag tone-warn">warning</span> : null}
          <span className="grow" />
          <span
            className="hash"
            title={`Ledger row ${decision.ledgerSeq}, head ${decision.ledgerHead}`}
          >
            ledger #{decision.ledgerSeq} {decision.ledgerHead.slice(0, 8)}
          </span>
        </div>
        <p className="text-secondary decision-sentence">{decision.sentence}</p>
        <Missing decision={decision} />
        {decision.score === null ? null : (
          <ScoreBar
            score={decision.score}
            policy={goal.policy.continuation}
            hasDecided={stageOf(decision.rule) === 'nudge'}
          />
        )}
        <ol className="ladder text-small">
          {rungsOf(decision.rule).map(({ rule, label, verdict }) => (
            <li key={rule} className={verdict === 'decided' ? 'text-strong' : 'text-muted'}>
              {verdict === 'decided' ? '▸ ' : ''}
              {rule}. {label}: {verdict === 'decided' ? word : verdict}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function Missing({ decision }: { readonly decision: Decision }) {
  const { missing, reasons } = decision;
  if (missing.length === 0) return null;
  return (
    <div className="note tone-warn missing">
      <b>Missing then:</b>
      <ul>
        {missing.map((id) => (
          <li key={id}>
            <span className="mono">{missingName(id)}</span>
            {reasons[id] === undefined ? null : (
              <span className="text-secondary pre-wrap"> {reasons[id]}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
