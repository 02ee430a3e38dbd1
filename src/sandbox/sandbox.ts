import { realpath } from 'node:fs/promises';
import type { CommandLimits } from '../../schema/command-limits.ts';
import type { CommandScope, Reach, SandboxMode } from '../contract/effects.ts';
import type { Boxed } from './boxed-command.ts';
import { bwrapArguments } from './bwrap-arguments.ts';
import { commandUser, entryOf, handOver } from './command-user.ts';
import { type GitFolders, gitMounts } from './git-folders.ts';
import { guardGit, type Tidied } from './git-guard.ts';
import { cleanFolders, goalFolders, sharedCaches } from './goal-folders.ts';
import type { Groups } from './groups/groups.ts';
import { hiddenPlaces } from './hidden-places.ts';
import { linkedPackages } from './linked-packages.ts';
import { loanOf } from './loan.ts';
import { homeInside, type Machine, placesOf } from './machine.ts';
import { clearTheWay } from './mount-points.ts';
import { isWithin, type Mount, writable, writtenBy } from './mounts.ts';
import { intoNetwork } from './namespace.ts';
import { type CommandNetwork, networkOf, proxyVariables } from './network.ts';
import { besideOwnCaches } from './own-caches.ts';
import { type Protection, probe } from './probe.ts';
import { assertSamePlaces } from './same-places.ts';
import { seccompFilter } from './seccomp.ts';
import { type BoxedServer, boxServer, type ServerGround } from './server-box.ts';
import { stageOf } from './stage.ts';
import { toolchains } from './toolchains.ts';
import { userList } from './user-list.ts';
import { withoutSandbox } from './without.ts';

export interface Sandbox {
  readonly protection: Protection;
  readonly limits: CommandLimits;
  /** Where each command gets a control group; null = what it uses is counted. */
  readonly groups: Groups | null;
  /** @throws CommandsRefused */
  box(ground: CommandScope, reach: Reach): Promise<Boxed>;
  /**
   * A program that serves goals for as long as the worker runs, such as an MCP server.
   * @throws CommandsRefused, ServerFolderRefused
   */
  boxServer(ground: ServerGround): Promise<BoxedServer>;
}

export class SandboxMissing extends Error {
  constructor(why: string) {
    super(`there is no whole sandbox here, as ${why}`);
    this.name = 'SandboxMissing';
  }
}

/**
 * Tries on this machine what a sandbox needs, by making one.
 * @throws SandboxMissing
 */
export async function openSandbox(options: {
  readonly mode: SandboxMode;
  readonly home: string;
  readonly limits: CommandLimits;
  /** Addresses and ranges that listed domains may lead to although they are not public. */
  readonly addresses?: readonly string[];
  readonly groups?: Groups | null;
}): Promise<Sandbox> {
  const { mode, limits, groups = null } = options;
  const home = await realpath(options.home);
  const hidden = hiddenPlaces(home);
  const tools = toolchains(hidden, home);
  const protection = mode === 'off' ? SWITCHED_OFF : await probe(hidden, tools);
  if (mode === 'require' && protection.isolation !== 'full') {
    throw new SandboxMissing(protection.why);
  }
  const machine = { home, hidden, tools, addresses: options.addresses ?? [], groups };
  return {
    protection,
    limits,
    groups,
    async box(ground, reach) {
      const network = networkOf(protection, ground, reach);
      if (protection.bwrap === null) return await withoutSandbox(ground, reach);
      return await boxFor(machine, protection, ground, reach, network);
    },
    boxServer: (ground) => boxServer(machine, protection, limits, ground),
  };
}

const SWITCHED_OFF: Protection = {
  bwrap: null,
  isolation: 'none',
  hasOwnNetwork: false,
  why: 'GOALKEEPER_SANDBOX is "off"',
};

const NOTHING: Tidied = { disarmed: [], undecided: [] };

/** Code under test can't go by the machine that proves it, nor reach into what judges it. */
const PLACE = { hostName: 'builder', isInPlace: true };

async function boxFor(
  machine: Machine,
  { bwrap, isolation }: Protection,
  ground: CommandScope,
  reach: Reach,
  network: CommandNetwork,
): Promise<Boxed> {
  const workspace = await realpath(ground.workspace);
  const folders = await goalFolders(machine.home, ground.goalId, workspace);
  const home = homeInside(machine.hidden, [workspace]);
  const isSealed = reach.isSealed === true;
  const tree = reach.root === undefined ? workspace : await realpath(reach.root);
  const git = tree === workspace ? await gitMounts(workspace, folders.hasOwnRepository) : null;
  const own = reach.home === undefined ? folders : await cleanFolders(reach.home);
  const user = await commandUser(workspace);
  const places = await placesOf(machine, [workspace], network.kind !== 'host');
  const isSetup = reach.network === 'host';
  const caches =
    own === folders || isSealed
      ? []
      : await sharedCaches(folders.home, home, reach.isClean === true);
  const packages = await linkedPackages(tree);
  const shown = reach.isInPlace ? workspace : tree;
  const loans = await Promise.all(
    (reach.lent ?? []).map((one) => loanOf(shown, reach.home ?? '', one)),
  );
  const lent = loans.flat();
  const writtenAround = [
    ...caches,
    ...packages,
    ...lent.filter(isIn(workspace)),
    ...(git?.mounts ?? []),
  ];
  const entry = [...assertSamePlaces(writtenAround), ...entryOf(user)];
  const mounts = [
    ...(reach.isClean ? besideOwnCaches(places, home, own.home, isSetup) : places),
    ...machine.hidden.temporary.map((at) => writable(at, own.temporary)),
    writable(home, own.home),
    ...(await userList(machine.home, user, home)),
    ...caches,
    ...(await treeOf(workspace, tree, [...packages, ...lent], reach)),
    ...(git?.mounts ?? []),
  ];
  const isCut = network.kind === 'none';
  const isListed = network.kind === 'listed';
  const isGrouped = machine.groups !== null;
  const stage = stageOf(mounts, writtenAround);
  const box = {
    mounts: stage.mounts,
    hasOwnNetwork: isCut,
    user,
    isGrouped,
    ...(reach.isInPlace && PLACE),
  };
  await clearTheWay(mounts);
  await handOver(user, handedOver(mounts, workspace));
  const guard = git === null ? null : await guardGit(folders.folder, lookOf(workspace, git));
  const holdsHome = machine.hidden.home !== null && isWithin(workspace, machine.hidden.home);
  return {
    launcher: [
      ...(isListed ? intoNetwork(network.nsenter) : []),
      ...stage.launcher,
      bwrap ?? '',
      ...bwrapArguments(box),
    ],
    entry,
    user: null,
    writes: writtenBy(mounts),
    filter: seccompFilter(reach.isInPlace === true),
    env: { HOME: home, TMPDIR: '/tmp', ...(isListed && proxyVariables()) },
    proxied: isListed ? { domains: network.domains, addresses: machine.addresses } : null,
    inside: (folder) => (reach.isInPlace ? workspace + folder.slice(tree.length) : folder),
    isolation: isolation === 'full' && isCut && !holdsHome ? 'full' : 'partial',
    tidy: async () => (await guard?.tidy()) ?? NOTHING,
    lose: () => guard?.lose(),
  };
}

/** All that commands may write and the host made for them; the workspace has its owner. */
const handedOver = (mounts: readonly Mount[], workspace: string): string[] =>
  writtenBy(mounts).filter((from) => !isWithin(workspace, from));

/** A fresh checkout is not searched, because it is removed with its check. */
const lookOf = (workspace: string, { mounts, common }: GitFolders) => ({
  reach: common === null ? [workspace] : [workspace, common],
  sealed: new Set(mounts.filter(({ kind }) => kind === 'readable').map(({ at }) => at)),
});

const readable = async (folder: string): Promise<Mount> => ({
  kind: 'readable',
  at: await realpath(folder),
});

const isIn =
  (folder: string) =>
  (mount: Mount): boolean =>
    'from' in mount && mount.from !== undefined && isWithin(folder, mount.from);

async function treeOf(
  workspace: string,
  tree: string,
  packages: readonly Mount[],
  { writable: further = [], reads = [], isInPlace = false }: Reach,
): Promise<Mount[]> {
  const shown = isInPlace ? workspace : tree;
  const folders = await Promise.all(further.map((folder) => realpath(folder)));
  const rest = [
    ...(await Promise.all(reads.map(readable))),
    ...folders.map((folder) => writable(folder)),
    writable(shown, tree),
    ...packages,
  ];
  return shown === workspace ? rest : [{ kind: 'readable', at: workspace }, ...rest];
}
