import { Affix } from '@mantine/core';
import { Button } from '../../components/button.tsx';
import { IconPlayerPause, IconPlayerPlay, IconX } from '../../generated/icons.tsx';
import { useIsOffline } from '../../live/live-context.tsx';
import { useMayAct, useMayPause } from '../../session/session-context.tsx';

export type BulkAct = 'pause' | 'resume';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

export function BulkBar(props: {
  readonly count: number;
  readonly onAct: (act: BulkAct) => void;
  readonly onClear: () => void;
}) {
  const isOffline = useIsOffline();
  const mayAct = useMayAct();
  const mayPause = useMayPause();
  return (
    <Affix position={{ bottom: 20, left: 0, right: 0 }} className="bulk-affix">
      <div className="bulk-bar" role="toolbar" aria-label="Selected goals">
        <span className="tabular">{props.count} selected</span>
        {mayPause ? (
          <Button isSmall disabled={isOffline} onClick={() => props.onAct('pause')}>
            <IconPlayerPause {...icon} />
            Pause <kbd>p</kbd>
          </Button>
        ) : null}
        {mayAct ? (
          <Button isSmall disabled={isOffline} onClick={() => props.onAct('resume')}>
            <IconPlayerPlay {...icon} />
            Resume <kbd>r</kbd>
          </Button>
        ) : null}
        <Button isSmall isIcon aria-label="Clear selection" onClick={props.onClear}>
          <IconX {...icon} />
        </Button>
      </div>
    </Affix>
  );
}
