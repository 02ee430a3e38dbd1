import type { StorePlace } from '../../checkpoints/store-git.ts';
import { isSameEntry, type TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import type { GoalBrief } from '../../contract/goal-brief.ts';
import { detectSetups, npmLock, type Setup } from '../../proof/setup/detect-setups.ts';
import { type AddedPackage, npmAdditions } from '../../proof/setup/npm-additions.ts';
import { setupDigest } from '../../proof-place/setup-store.ts';
import { withChanges } from '../../proof-place/tree-changes.ts';
import { programPath } from '../../sandbox/program-path.ts';
import { type Change, contentOf, nameOf } from './changes.ts';
import type { ProofTree, SetupRules } from './proof-tree.ts';

export const setupRulesOf = ({
  setup = [],
  policy,
  criteria,
  workspace,
}: Pick<GoalBrief, 'setup' | 'policy' | 'criteria' | 'workspace'>): SetupRules => ({
  declared: setup,
  dependencies: policy.dependencies ?? 'ask',
  // What the model proposed says nothing about what a project needs.
  commands: criteria.flatMap(({ spec, origin }) =>
    spec.kind === 'command' && origin !== 'proposed' ? [spec.command] : [],
  ),
  workspace: workspace.path,
});

type Entries = ReadonlyMap<string, TreeEntry>;

/** A setup that may run: nothing of what the goal wrote decides what it installs or runs. */
export interface SetupPlan extends Setup {
  /** What it runs on, and nothing else. */
  readonly files: Entries;
  readonly digest: string;
  /** Packages that the goal added. */
  readonly added: readonly AddedPackage[];
}

/**
 * The setups of a tree. Where a goal changed more of what decides them than the policy allows, there
 * is none.
 */
export async function planSetups(tree: ProofTree): Promise<SetupPlan[]> {
  const { store, entries, original = entries, setup } = tree;
  const declared = setup?.declared ?? [];
  if (declared.length > 0) return [declaredPlan(declared, original, setup?.workspace ?? '')];
  const { commands = [], workspace = '' } = setup ?? {};
  const detect = (from: Entries) =>
    detectSetups({ paths: from.keys(), read: (path) => textOf(store, from, path), commands });
  const known = await detect(original);
  const plans: SetupPlan[] = [];
  for (const found of original === entries ? known : await detect(entries)) {
    const before = known.find(({ tool, folder }) => tool === found.tool && folder === found.folder);
    if (before === undefined) continue;
    const files = filesOf(found, entries);
    const added = isSame(filesOf(before, original), files)
      ? []
      : await addedTo(before, found, tree);
    if (added === null) continue;
    const given = found.needsTree === true ? original : files;
    const at = found.isBoundToPath === true ? workspace : '';
    plans.push({ ...found, files: given, digest: setupDigest(found, given, at), added });
  }
  return plans;
}

/** Null where more changed than the policy allows. */
async function addedTo(
  before: Setup,
  now: Setup,
  { store, entries, original = entries, setup }: ProofTree,
): Promise<readonly AddedPackage[] | null> {
  if (setup?.dependencies !== 'allow' || before.tool !== 'npm') return null;
  const others = (of: Setup, from: Entries) =>
    new Map([...filesOf(of, from)].filter(([path]) => !MANIFEST.test(path)));
  if (!isSame(others(before, original), others(now, entries))) return null;
  const inputsOf = async (of: Setup, from: Entries) => {
    const paths = (of.inputs ?? []).filter((path) => path.endsWith('package.json'));
    const texts = await Promise.all(paths.map((path) => textOf(store, from, path)));
    const manifests = new Map(paths.map((path, index) => [path, texts[index] ?? '']));
    return { lock: (await textOf(store, from, npmLock(of.folder, from))) ?? '', manifests };
  };
  const own = ownNames(original);
  const isProgram = (name: string) => programPath(name) !== null;
  const isOwn = (name: string) => own.has(name);
  const [old, young] = [await inputsOf(before, original), await inputsOf(now, entries)];
  const additions = npmAdditions(old, young, { isProgram, isOwn });
  return 'added' in additions ? additions.added : null;
}

/** Names by which a project's files can be imported without a path, if its configuration says so. */
const ownNames = (original: Entries): ReadonlySet<string> =>
  new Set(
    [...original.keys()].flatMap((path) =>
      path.split('/', 2).map((name) => name.replace(/\..*$/, '')),
    ),
  );

async function textOf(store: StorePlace, from: Entries, path: string): Promise<string | null> {
  const entry = from.get(path);
  return entry?.kind === 'file' ? String((await readObjects(store, [entry.object]))[0]) : null;
}

/** What the judge of additions reads; all else that decides them stays as it is. */
const MANIFEST = /(^|\/)package(-lock)?\.json$/;

const declaredPlan = (commands: readonly string[], files: Entries, at: string): SetupPlan => {
  const setup = { tool: 'declared' as const, folder: '', command: commands.join(' && ') };
  const whole = { ...setup, inputs: null };
  return { ...whole, files, digest: setupDigest(whole, files, at), added: [] };
};

/** A link is no manifest: where it leads is no part of the tree. */
const filesOf = ({ inputs }: Setup, entries: Entries): Entries =>
  new Map(
    (inputs ?? []).flatMap((path) => {
      const entry = entries.get(path);
      return entry?.kind === 'file' ? [[path, entry] as const] : [];
    }),
  );

const isSame = (one: Entries, other: Entries): boolean =>
  one.size === other.size && [...one].every(([path, entry]) => isSameEntry(entry, other.get(path)));

/**
 * The changes that only add packages from a registry, by name and content, where the policy allows
 * these.
 */
export async function allowedAdditions(
  tree: ProofTree,
  changes: readonly Change[],
): Promise<Readonly<Record<string, string | null>>> {
  if (tree.setup?.dependencies !== 'allow' || tree.original === undefined) return {};
  const manifests = changes.flatMap((change) =>
    change.kind === 'file' && MANIFEST.test(change.file.path) ? [change] : [],
  );
  if (manifests.length === 0) return {};
  const entries = withChanges(
    { entries: tree.original },
    manifests.map(({ file }) => file),
  );
  const plans = await planSetups({ ...tree, entries });
  const added = plans.filter((plan) => plan.added.length > 0);
  const allowed = manifests.filter((change) =>
    added.some(({ files }) => files.has(nameOf(change))),
  );
  return Object.fromEntries(allowed.map((change) => [nameOf(change), contentOf(change)]));
}
