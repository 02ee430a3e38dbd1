import type { Turn } from '../../api/types.ts';
import { subScores } from '../../view/ladder.ts';

type Score = NonNullable<NonNullable<Turn['decision']>['score']>;

/** The five sub-scores on one bar, with the marks where a nudge changes its words. */
export function ScoreBar(props: {
  readonly score: Score;
  readonly policy: { readonly continueAt: number; readonly warnAt: number };
  readonly hasDecided: boolean;
}) {
  const { score, policy } = props;
  const label = subScores
    .map(({ key, label, most }) => `${label} ${score[key]} of ${most}`)
    .join(', ');
  return (
    <div className="score">
      <div
        className={`score-bar ${props.hasDecided ? '' : 'muted'}`}
        role="img"
        aria-label={`Score ${score.total} of 100: ${label}`}
      >
        {subScores.map(({ key }) => (
          <i key={key} style={{ width: `${score[key]}%` }} />
        ))}
        <u style={{ left: `${policy.warnAt}%` }} data-l={`warn ${policy.warnAt}`} />
        <u style={{ left: `${policy.continueAt}%` }} data-l={`go on ${policy.continueAt}`} />
      </div>
      <div className="sub-scores" aria-hidden="true">
        {subScores.map(({ key, label, most }) => (
          <span key={key}>
            <b>
              {score[key]}
              <span className="text-muted">/{most}</span>
            </b>
            {label}
          </span>
        ))}
      </div>
      {props.hasDecided ? null : (
        <p className="text-small text-muted">
          Score {score.total} is kept for the record. An earlier rule decided.
        </p>
      )}
    </div>
  );
}
