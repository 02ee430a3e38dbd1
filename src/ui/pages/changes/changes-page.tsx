import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { changesQuery, checkpointsQuery, type Range } from '../../api/changes.ts';
import { ApiError } from '../../api/problem.ts';
import { gateQuery, goalQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Checkpoints, Goal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import type { DiffLayout } from '../../components/diff/diff.tsx';
import { FailedBox } from '../../components/failed-box.tsx';
import { SkeletonLines } from '../../components/skeleton.tsx';
import { StateBox } from '../../components/state-box.tsx';
import type { VirtualHandle } from '../../components/virtual-rows.tsx';
import { IconFileDiff } from '../../generated/icons.tsx';
import { leaveControls, useKeys } from '../../shell/keys.ts';
import { useToast } from '../../shell/toasts.tsx';
import { filesOf, placesOf, treeRows } from '../../view/change-tree.ts';
import { ownTree } from '../../view/own-tree.ts';
import type { DialogName } from '../goal/dialogs/goal-dialog.tsx';
import { ChangesBar } from './changes-bar.tsx';
import { copyPatch } from './copy-patch.ts';
import { FileBlocks } from './file-blocks.tsx';
import { FileTree } from './file-tree.tsx';

const emptyIcon = <IconFileDiff size={28} stroke={1.4} aria-hidden="true" />;
const loading = <SkeletonLines label="Loading the changes" widths={[50, 70, 60, 80, 40]} />;

interface PageProps {
  readonly goal: Goal;
  readonly onDialog: (name: DialogName) => void;
}

/** What the goal wrote, and what that costs in proof. */
export function ChangesPage(props: PageProps) {
  const { goalId } = props.goal;
  const places = useQuery(checkpointsQuery(goalId));
  if (places.isPending) return loading;
  if (places.data === undefined) {
    const retry = () => void places.refetch();
    return <FailedBox what="The checkpoints" error={places.error} onRetry={retry} />;
  }
  if (places.data.checkpoints.length === 0) {
    return (
      <StateBox
        icon={emptyIcon}
        title="Nothing was written yet"
        text="Files are kept before the first write and after every turn that wrote; from then on they can be compared here."
      />
    );
  }
  return <Compared {...props} places={places.data} />;
}

/** Of the whole goal, or of what the address names; what may have written since is in its key. */
function compared({ goalId, usage }: Goal, kept: Checkpoints, search: URLSearchParams) {
  const baseline = placesOf(kept)[0]?.name ?? 't0';
  const range = { from: search.get('from') ?? baseline, to: search.get('to') ?? 'now' };
  const { checkpoints, rewinds } = kept;
  const written = `${checkpoints.length} ${rewinds.map(({ state }) => state).join(' ')}`;
  return { baseline, range, query: changesQuery(goalId, range, `${usage.turns} ${written}`) };
}

/** What the address will show is asked for while the page around it is drawn. */
async function askEarly(goalId: string, search: URLSearchParams): Promise<void> {
  void queryClient.prefetchQuery(gateQuery(goalId));
  const [places, goal] = await Promise.all([
    queryClient.fetchQuery(checkpointsQuery(goalId)),
    queryClient.fetchQuery(goalQuery(goalId)),
  ]);
  if (places.checkpoints.length === 0) return;
  await queryClient.prefetchInfiniteQuery(compared(goal, places, search).query);
}

const [, addressed] = /^\/goals\/(g-[0-9a-f]{16})\/changes\/?$/.exec(location.pathname) ?? [];
// The page asks again for what can't be had, and says so.
if (addressed !== undefined)
  askEarly(addressed, new URLSearchParams(location.search)).catch(() => undefined);

function Compared({ goal, places: kept, onDialog }: PageProps & { readonly places: Checkpoints }) {
  const { goalId } = goal;
  const [search, setSearch] = useSearchParams();
  const places = placesOf(kept);
  const { baseline, range, query } = compared(goal, kept, search);
  const changes = useInfiniteQuery(query);
  const { data: gate } = useQuery(gateQuery(goalId));
  const toast = useToast();
  const [chosenLayout, setLayout] = useState<DiffLayout>('unified');
  const isPhone = useMediaQuery('(max-width: 720px)', false, { getInitialValueInEffect: false });
  const layout = isPhone ? 'unified' : chosenLayout;
  const blocks = useRef<VirtualHandle>(null);
  const pages = changes.data?.pages;
  const rows = useMemo(() => treeRows(pages?.flatMap(({ files }) => files) ?? []), [pages]);
  const files = useMemo(() => filesOf(rows), [rows]);
  // While another range loads, the files and lines of the one before it stay.
  const [first] = pages ?? [];
  const shown = first === undefined ? range : { from: first.from, to: first.to };
  const current = search.get('file') ?? files[0]?.path ?? null;

  const put = (values: Readonly<Record<string, string>>) =>
    setSearch((before) => ({ ...Object.fromEntries(before), ...values }), { replace: true });
  const setRange = (next: Range) => put({ ...next });
  const choose = (path: string) => {
    put({ file: path });
    blocks.current?.scrollTo(files.findIndex((file) => file.path === path));
  };
  const step = (by: 1 | -1) => {
    const at = files.findIndex(({ path }) => path === current);
    const next = files[Math.max(0, Math.min(files.length - 1, at + by))];
    leaveControls();
    if (next !== undefined) choose(next.path);
  };
  const patch = () => {
    const wanted = files.filter(({ scope }) => scope !== 'beyond');
    copyPatch(goalId, shown, wanted).then(toast, () => toast('The patch could not be copied.'));
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    u: () => setLayout(chosenLayout === 'unified' ? 'split' : 'unified'),
    c: patch,
  });
  useFirstFile(search.get('file'), files.length > 0, choose);

  return (
    <>
      <ChangesBar
        places={places}
        range={range}
        onRange={setRange}
        total={first?.total}
        lookedAt={changes.dataUpdatedAt}
        onLook={() => void changes.refetch()}
        layout={layout}
        onLayout={setLayout}
        onPatch={patch}
        onRewind={() => onDialog('rewind')}
        onApply={ownTree(goal)?.isApplicable === true ? () => onDialog('apply') : null}
      />
      {changes.isPending ? loading : null}
      {changes.isError && pages === undefined ? (
        <Unread error={changes.error} onRetry={() => void changes.refetch()} />
      ) : null}
      {pages !== undefined && files.length === 0 ? (
        <StateBox
          icon={emptyIcon}
          title="Nothing changed between these two"
          text="What git ignores is not shown and never counts."
        >
          <Button onClick={() => setRange({ from: baseline, to: 'now' })}>Baseline to now</Button>
        </StateBox>
      ) : null}
      {files.length === 0 ? null : (
        <div className="changes">
          <FileTree rows={rows} current={current} onChoose={choose} />
          <FileBlocks
            key={`${shown.from} ${shown.to}`}
            goalId={goalId}
            range={shown}
            files={files}
            gate={gate}
            layout={layout}
            handle={blocks}
          />
        </div>
      )}
      {changes.hasNextPage ? (
        <Button
          look="subtle"
          className="load-older"
          disabled={changes.isFetchingNextPage}
          onClick={() => void changes.fetchNextPage()}
        >
          More files
        </Button>
      ) : null}
    </>
  );
}

/** The file that the address names comes into sight once its list is there. */
function useFirstFile(path: string | null, isLoaded: boolean, show: (path: string) => void): void {
  const isShown = useRef(false);
  useEffect(() => {
    if (!isLoaded || isShown.current) return;
    isShown.current = true;
    if (path !== null) show(path);
  });
}

/** Files that this service can't read are no fault of it. */
function Unread({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const isRefused = error instanceof ApiError && error.problem.status < 500;
  if (!isRefused) return <FailedBox what="The changes" error={error} onRetry={onRetry} />;
  return (
    <StateBox icon={emptyIcon} title="These files can’t be compared here" text={error.message}>
      <Button onClick={onRetry}>Try again</Button>
    </StateBox>
  );
}
