import type { UseQueryResult } from '@tanstack/react-query';
import { acceptTool } from '../../api/actions.ts';
import { answerOf } from '../../api/client.ts';
import type { ToolPin } from '../../api/types.ts';
import { useAct } from '../../api/use-act.ts';
import { Button } from '../../components/button.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct } from '../../session/session-context.tsx';
import { OpsPane } from './ops-pane.tsx';

/** What MCP servers say otherwise than goals were told; nothing where no server is configured. */
export function ToolPinsPane({ query }: { readonly query: UseQueryResult<readonly ToolPin[]> }) {
  const waiting = query.data?.filter(({ offered }) => offered !== null) ?? [];
  if (query.data?.length === 0) return null;
  return (
    <OpsPane title="Tools of MCP servers" count={waiting.length} query={query}>
      {(pins) =>
        waiting.length === 0 ? (
          <p className="ops-calm">{pins.length} tools are as goals first saw them.</p>
        ) : (
          waiting.map((pin) => (
            <Changed
              key={`${pin.workspace} ${pin.tool}`}
              pin={pin}
              onAccepted={() => void query.refetch()}
            />
          ))
        )
      }
    </OpsPane>
  );
}

function Changed({ pin, onAccepted }: { readonly pin: ToolPin; readonly onAccepted: () => void }) {
  const { workspace, tool, pinned, offered } = pin;
  const mayAct = useMayAct();
  const isOffline = useIsOffline();
  const accept = useAct({
    mutationFn: async () =>
      await answerOf(acceptTool({ workspace, tool, hash: offered?.hash ?? '' })),
    onSuccess: onAccepted,
  });
  return (
    <details>
      <summary>
        <span className="mono">{tool}</span> {pinned === null ? 'is new' : 'changed'} in {workspace}
        : goals don’t see it
      </summary>
      <dl>
        <dt>Trusted</dt>
        <dd>
          <pre className="mono">{textOf(pinned)}</pre>
        </dd>
        <dt>Now</dt>
        <dd>
          <pre className="mono">{textOf(offered)}</pre>
        </dd>
      </dl>
      {mayAct ? (
        <Button isSmall disabled={isOffline || accept.isPending} onClick={() => accept.mutate()}>
          Let goals see it so
        </Button>
      ) : null}
      {accept.isError ? <p className="field-error">{accept.error.message}</p> : null}
    </details>
  );
}

function textOf(definition: ToolPin['pinned']): string {
  if (definition === null) return 'nothing yet';
  const { description, readOnly, inputSchema } = definition;
  return `${description}\n${readOnly ? 'only reads\n' : ''}${JSON.stringify(inputSchema, null, 2)}`;
}
