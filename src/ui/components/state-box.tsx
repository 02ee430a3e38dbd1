import type { ReactNode } from 'react';

/** An empty view's message and what to do about it. */
export function StateBox(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly code?: string;
  /** It is all that the page says, so its title is the page's. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <div className="state-box">
      <div>
        <span className="text-muted state-icon">{props.icon}</span>
        {props.isPage === true ? <h1>{props.title}</h1> : <h2>{props.title}</h2>}
        <p>{props.text}</p>
        <div className="row centered">{props.children}</div>
        {props.code === undefined ? null : (
          <p className="mono text-small text-muted state-code">{props.code}</p>
        )}
      </div>
    </div>
  );
}
