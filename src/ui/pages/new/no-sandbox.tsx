import { useQuery } from '@tanstack/react-query';
import { workspacesQuery } from '../../api/queries.ts';
import { IconShieldOff } from '../../generated/icons.tsx';

/** Told before a goal runs anything there, and until somebody changes it. */
export function NoSandbox({ workspace }: { readonly workspace: string }) {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const open = workspaces.filter(({ isolation }) => isolation === 'none');
  const chosen = workspaces.find(({ name }) => name === workspace.trim());
  const hosts = new Set(open.filter((one) => chosen?.host === one.host).map(({ host }) => host));
  const named = chosen === undefined ? new Set(open.map(({ host }) => host)) : hosts;
  if (named.size === 0) return null;
  return (
    <div className="banner unsafe" role="alert">
      <IconShieldOff size={16} stroke={1.75} aria-hidden="true" />
      <span className="grow">
        <b>No sandbox on {[...named].join(', ')}.</b> Commands of a goal reach all that the worker’s
        user can there: its files, its network, this service. Install bubblewrap and start the
        worker anew.
      </span>
    </div>
  );
}
