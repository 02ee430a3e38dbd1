import { type ReactNode, useState } from 'react';
import {
  messageLine,
  type PartName,
  requestParts,
  sizeOf,
} from '../../../../schema/request-parts.ts';
import { messageText, speakerOf } from '../../../../schema/request-words.ts';
import type { ModelCall, ModelRequest, RequestMessage } from '../../api/types.ts';
import { IconChevronRight } from '../../generated/icons.tsx';
import { compact } from '../../view/format.ts';

/** A request by its parts, with about how much of it each is. */
export function RequestView(props: { readonly call: ModelCall; readonly request: ModelRequest }) {
  const { call, request } = props;
  const parts = requestParts(call, request);
  const told = parts.map(({ words, share }) => `${words} ${percent(share)}`).join(', ');
  return (
    <>
      <div className="request-bar" role="img" aria-label={`Of the request: ${told}`}>
        {parts.map(({ name, share }) => (
          <i key={name} className={`request-${name}`} style={{ flex: share }} />
        ))}
      </div>
      {request.compaction === null ? null : (
        <p className="note">
          Older messages are shown by compaction {request.compaction}: notes stand for them, or
          their results are shortened.
        </p>
      )}
      {parts.map((part) => (
        <Fold
          key={part.name}
          isOpen={part.name === 'own'}
          head={
            <>
              <i className={`request-swatch request-${part.name}`} aria-hidden="true" />
              <b>{part.words}</b>
              <span className="grow" />
              <span className="text-small text-muted tabular">
                about {compact(part.tokens)} tokens, {percent(part.share)}
              </span>
            </>
          }
          body={() => <PartBody name={part.name} request={request} />}
        />
      ))}
      <p className="text-small text-muted">
        Rebuilt from the record as it was sent. The host’s mark on its words is shown as “…”, files
        by their names.
      </p>
    </>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function PartBody({ name, request }: { readonly name: PartName; readonly request: ModelRequest }) {
  const of = (kind: RequestMessage['of']) => request.messages.filter((one) => one.of === kind);
  switch (name) {
    case 'system':
      return <pre className="asked-text">{request.system}</pre>;
    case 'own':
      return <pre className="asked-text">{of('own').map(messageText).join('\n\n')}</pre>;
    case 'tools':
      return request.tools.map((tool) => (
        <Fold
          key={tool.name}
          head={
            <>
              <b className="mono">{tool.name}</b>
              <span className="truncate text-secondary">{tool.description}</span>
            </>
          }
          body={() => (
            <pre className="asked-text">
              {`${tool.description}\n\n${JSON.stringify(tool.parameters, null, 2)}`}
            </pre>
          )}
        />
      ));
    case 'messages':
      return of('conversation').map((message, index) => (
        <Fold
          // biome-ignore lint/suspicious/noArrayIndexKey: a request never changes
          key={index}
          head={
            <>
              <span
                className={`tag message-speaker ${message.role === 'assistant' ? 'tone-accent' : ''}`}
              >
                {speakerOf(message)}
              </span>
              <span className="truncate">{messageLine(message)}</span>
              <span className="text-small text-muted tabular">
                {compact(sizeOf(message))} chars
              </span>
            </>
          }
          body={() => <pre className="asked-text">{messageText(message)}</pre>}
        />
      ));
  }
}

/** Its body exists while it is open: a request may have thousands of messages. */
function Fold(props: {
  readonly isOpen?: boolean;
  readonly head: ReactNode;
  readonly body: () => ReactNode;
}) {
  const [isOpen, setOpen] = useState(props.isOpen === true);
  return (
    <details
      className="asked-part"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <IconChevronRight className="fold-mark" size={14} stroke={1.75} aria-hidden="true" />
        {props.head}
      </summary>
      {isOpen ? props.body() : null}
    </details>
  );
}
