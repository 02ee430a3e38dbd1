import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { callQuery } from '../../api/queries.ts';
import type { Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { IconChevronLeft, IconChevronRight, IconX } from '../../generated/icons.tsx';
import { CallDetail } from './call-detail.tsx';

const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;

/** One call beside the page that led to it; `j` and `k` step through the rows. */
export function LedgerDrawer(props: {
  readonly goal: Goal;
  readonly seq: number;
  readonly onClose: () => void;
}) {
  const { goal, seq } = props;
  const [, setSearch] = useSearchParams();
  const call = useQuery(callQuery(goal.goalId, seq));
  const step = (by: 1 | -1) => {
    const first = call.data?.startedSeq ?? seq;
    const last = call.data?.settledSeq ?? seq;
    const next = by === 1 ? last + 1 : first - 1;
    if (next < 1) return;
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        after.set('call', String(next));
        return after;
      },
      { replace: true },
    );
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'j') step(1);
      if (event.key === 'k') step(-1);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
  return (
    <Drawer.Root
      opened
      onClose={props.onClose}
      position="right"
      size={560}
      transitionProps={{ duration: 0 }}
      classNames={{ content: 'drawer', body: 'drawer-content' }}
    >
      <Drawer.Content aria-label={`Ledger call ${seq}`}>
        <Drawer.Header className="drawer-head">
          <span className="mono text-muted">#{seq}</span>
          <Drawer.Title>{call.data?.tool ?? 'Call'}</Drawer.Title>
          <span className="grow" />
          <Button
            look="subtle"
            isSmall
            isIcon
            aria-label="Older call"
            title="Older (k)"
            disabled={seq <= 1}
            onClick={() => step(-1)}
          >
            <IconChevronLeft {...icon} />
          </Button>
          <Button
            look="subtle"
            isSmall
            isIcon
            aria-label="Newer call"
            title="Newer (j)"
            onClick={() => step(1)}
          >
            <IconChevronRight {...icon} />
          </Button>
          <Button look="subtle" isSmall isIcon aria-label="Close" onClick={props.onClose}>
            <IconX {...icon} />
          </Button>
        </Drawer.Header>
        <Drawer.Body>
          {call.isPending ? <SkeletonLines label="Loading the call" widths={[90, 60, 75]} /> : null}
          {call.isError ? (
            <FailedBox what="This row" error={call.error} onRetry={() => void call.refetch()} />
          ) : null}
          {call.data === undefined ? null : <CallDetail goal={goal} call={call.data} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
