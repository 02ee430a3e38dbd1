import type { ReactNode } from 'react';

/** What a view is when it has nothing to show: says so, and what to do. */
export function StateBox(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly code?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="state">
      <div>
        <span className="t3 big">{props.icon}</span>
        <h2>{props.title}</h2>
        <p>{props.text}</p>
        <div className="row center">{props.children}</div>
        {props.code === undefined ? null : <p className="mono xs t3 code">{props.code}</p>}
      </div>
    </div>
  );
}
