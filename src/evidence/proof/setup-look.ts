import type { SetupLook } from '../../../schema/scope.ts';
import { blobId } from '../../checkpoints/git-objects.ts';
import { readEntry } from '../../checkpoints/look.ts';
import type { TreeEntry } from '../../checkpoints/stored-tree.ts';
import type { ScopeLookPort } from '../../contract/scope-look.ts';
import { commandsOf } from '../../proof/proof-parts.ts';
import { type Detected, detectSetups, managerOf } from '../../proof/setup/detect-setups.ts';
import type { Setup } from '../../proof/setup/setup.ts';
import { installedFolders } from '../../proof-place/dependencies.ts';
import { isSetupKept } from '../../proof-place/setup-store.ts';
import { isLent } from './setup.ts';
import { declaredSetup, filesOf, givenTo } from './setup-plans.ts';

type Start = Parameters<ScopeLookPort['look']>[1];

/** A look reads no more files than this. */
const MOST_READ = 2000;

/** What would install packages for a goal that begins here now. */
export async function lookAtSetups(
  home: string,
  workspace: string,
  paths: readonly string[],
  start: Start,
): Promise<SetupLook[]> {
  const { setups, unused } = await setupsOf(workspace, paths, start);
  const folders = installedFolders(workspace, { entries: new Map(paths.map(unread)) });
  const lent = folders.map((at) => ({ at }));
  const looks = setups.map(async (setup): Promise<SetupLook> => {
    const { tool, lock, command } = setup;
    const isAllowed = start.policy.dependencies === 'allow' && managerOf(setup)?.additions;
    const state = isLent(setup, lent)
      ? 'lent'
      : await stateOf(home, workspace, paths, setup, start);
    return { tool, lock, command, state, why: null, additions: isAllowed ? 'allowed' : 'asked' };
  });
  return [
    ...(await Promise.all(looks)),
    ...unused.map(({ tool, lock, why }) => ({
      ...{ tool, lock, command: null, why },
      ...{ state: 'unused' as const, additions: 'asked' as const },
    })),
  ];
}

async function setupsOf(
  workspace: string,
  paths: readonly string[],
  { setup = [], criteria }: Start,
): Promise<Detected> {
  if (setup.length > 0) return { setups: [declaredSetup(setup)], unused: [] };
  const read = async (path: string) => {
    const entry = await readEntry(workspace, path);
    return entry?.kind === 'file' ? entry.content.toString() : null;
  };
  return await detectSetups({ paths, read, commands: commandsOf(criteria) });
}

async function stateOf(
  home: string,
  workspace: string,
  paths: readonly string[],
  setup: Setup,
  { scope }: Start,
): Promise<SetupLook['state']> {
  const needed = setup.needsTree === 'content' ? paths : (setup.inputs ?? []);
  // A base is another tree than the one that lies here.
  if (needed.length > MOST_READ || scope?.base !== undefined) return 'open';
  const entries = new Map<string, TreeEntry>();
  for (const path of needed) {
    const entry = await readEntry(workspace, path);
    if (entry === null) return 'open';
    const { kind, mode, content } = entry;
    entries.set(path, { kind, mode: kind === 'link' ? 0o755 : mode, object: blobId(content) });
  }
  const { digest } = givenTo(setup, filesOf(setup, entries), entries, workspace);
  return (await isSetupKept(home, digest)) ? 'kept' : 'runs';
}

const unread = (path: string): [string, TreeEntry] => [
  path,
  { kind: 'file', mode: 0o644, object: '' },
];
