import { useMayAct } from '../../session/session-context.tsx';
import { type Group, groupTitles } from '../../view/groups.ts';

export function GroupHead(props: {
  readonly group: Group;
  readonly count: number;
  readonly index: number;
}) {
  const mayAct = useMayAct();
  const isMine = props.group === 'you' && mayAct;
  const { title, hint } = groupTitles[props.group];
  return (
    <div className="goal-group-head" role="row" aria-rowindex={props.index + 2} tabIndex={-1}>
      <span role="cell" className="row">
        <h2>{props.group === 'you' && !mayAct ? 'Needs an operator' : title}</h2>
        <span className={isMine ? 'keeper-count' : 'text-muted tabular'}>{props.count}</span>
        <span className="text-muted desktop-only">{hint}</span>
      </span>
    </div>
  );
}
