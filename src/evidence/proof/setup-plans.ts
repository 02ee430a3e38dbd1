import type { StorePlace } from '../../checkpoints/store-git.ts';
import { isSameEntry, type TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import type { GoalBrief } from '../../contract/goal-brief.ts';
import type { AddedPackage, NamesTaken } from '../../proof/setup/additions.ts';
import { detectSetups, managerOf } from '../../proof/setup/detect-setups.ts';
import type { Setup } from '../../proof/setup/setup.ts';
import { setupDigest } from '../../proof-place/setup-store.ts';
import { programPath } from '../../sandbox/program-path.ts';
import type { ProofTree, SetupRules } from './proof-tree.ts';

export const setupRulesOf = ({
  setup = [],
  policy,
  criteria,
  workspace,
}: Pick<GoalBrief, 'setup' | 'criteria'> & {
  readonly policy: Pick<GoalBrief['policy'], 'dependencies'>;
  readonly workspace: Pick<GoalBrief['workspace'], 'path'>;
}): SetupRules => ({
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
  const { commands = [], workspace = '' } = setup ?? {};
  if (declared.length > 0) {
    const one = declaredSetup(declared);
    return [{ ...one, ...givenTo(one, new Map(), original, workspace), added: [] }];
  }
  const detect = (from: Entries) =>
    detectSetups({ paths: from.keys(), read: (path) => textOf(store, from, path), commands });
  const { setups: known } = await detect(original);
  const plans: SetupPlan[] = [];
  for (const found of original === entries ? known : (await detect(entries)).setups) {
    const before = known.find(({ tool, folder }) => tool === found.tool && folder === found.folder);
    if (before === undefined) continue;
    const files = filesOf(found, entries);
    const added = isSame(filesOf(before, original), files)
      ? []
      : await addedTo(before, found, tree);
    if (added === null) continue;
    plans.push({ ...found, ...givenTo(found, files, original, workspace), added });
  }
  return plans;
}

/** What its command runs on, and by what its result is known again. */
export function givenTo(setup: Setup, inputs: Entries, original: Entries, workspace: string) {
  const files = setup.needsTree === undefined ? inputs : new Map([...original, ...inputs]);
  const deciding = setup.needsTree === 'content' ? files : inputs;
  const at = setup.isBoundToPath === true ? workspace : '';
  return { files, digest: setupDigest(setup, deciding, at) };
}

/** Null where more changed than the policy allows. */
async function addedTo(
  before: Setup,
  now: Setup,
  { store, entries, original = entries, setup }: ProofTree,
): Promise<readonly AddedPackage[] | null> {
  const rules = managerOf(before)?.additions;
  if (setup?.dependencies !== 'allow' || rules === undefined) return null;
  const others = (of: Setup, from: Entries) =>
    new Map([...filesOf(of, from)].filter(([path]) => !rules.changes.test(path)));
  if (before.lock !== now.lock || !isSame(others(before, original), others(now, entries))) {
    return null;
  }
  const inputsOf = async ({ lock, inputs }: Setup, from: Entries) => {
    const paths = (inputs ?? []).filter((path) => path !== lock && rules.changes.test(path));
    const texts = await Promise.all(paths.map((path) => textOf(store, from, path)));
    const manifests = new Map(paths.map((path, index) => [path, texts[index] ?? '']));
    return { lock: (lock === null ? null : await textOf(store, from, lock)) ?? '', manifests };
  };
  const [old, young] = [await inputsOf(before, original), await inputsOf(now, entries)];
  const additions = rules.judge(old, young, namesTaken(original));
  return 'added' in additions ? additions.added : null;
}

/** What was there before a goal added anything. */
export function namesTaken(original: Entries): NamesTaken {
  const own = ownNames(original);
  return { isProgram: (name) => programPath(name) !== null, isOwn: (name) => own.has(name) };
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

/** What a person declared instead. */
export const declaredSetup = (commands: readonly string[]): Setup => ({
  ...{ tool: 'declared', folder: '', lock: null, command: commands.join(' && ') },
  ...{ inputs: null, needsTree: 'content', isBoundToPath: true },
});

/** A link is no manifest: where it leads is no part of the tree. */
export const filesOf = ({ inputs }: Setup, entries: Entries): Entries =>
  new Map(
    (inputs ?? []).flatMap((path) => {
      const entry = entries.get(path);
      return entry?.kind === 'file' ? [[path, entry] as const] : [];
    }),
  );

const isSame = (one: Entries, other: Entries): boolean =>
  one.size === other.size && [...one].every(([path, entry]) => isSameEntry(entry, other.get(path)));
