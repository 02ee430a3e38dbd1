import type { ReactNode } from 'react';

/** An empty view's message and what to do about it. */
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
