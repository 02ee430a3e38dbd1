import type { StorePlace } from '../../checkpoints/store-git.ts';
import { isSameEntry, type TreeEntry } from '../../checkpoints/stored-tree.ts';
import { readObjects } from '../../checkpoints/tree.ts';
import type { GoalBrief } from '../../contract/goal-brief.ts';
import { commandsOf } from '../../proof/proof-parts.ts';
import type { AddedPackage, NamesTaken } from '../../proof/setup/additions.ts';
import { type AskedPackages, askedPackages } from '../../proof/setup/asked-packages.ts';
import { detectSetups, managerOf } from '../../proof/setup/detect-setups.ts';
import type { Setup } from '../../proof/setup/setup.ts';
import { setupDigest } from '../../proof-place/setup-store.ts';
import { programPath } from '../../sandbox/program-path.ts';
import { entryId } from './changes.ts';
import type { ProofTree, SetupRules } from './proof-tree.ts';

export const setupRulesOf = ({
  setup = [],
  policy,
  criteria,
  workspace,
  baseline,
}: Pick<GoalBrief, 'setup' | 'criteria'> & {
  readonly baseline?: Pick<NonNullable<GoalBrief['baseline']>, 'accepted'> | null;
  readonly policy: Pick<GoalBrief['policy'], 'dependencies'>;
  readonly workspace: Pick<GoalBrief['workspace'], 'path'>;
}): SetupRules => ({
  declared: setup,
  dependencies: policy.dependencies ?? 'ask',
  // What the model proposed says nothing about what a project needs.
  commands: commandsOf(criteria.filter(({ origin }) => origin !== 'proposed')),
  workspace: workspace.path,
  ...(baseline?.accepted !== undefined && { accepted: baseline.accepted }),
});

type Entries = ReadonlyMap<string, TreeEntry>;

/** A setup that may run: nothing of what the goal wrote decides what it installs or runs. */
export interface SetupPlan extends Setup {
  /** What it runs on, and nothing else. */
  readonly files: Entries;
  readonly digest: string;
  /** Packages that the goal added. */
  readonly added: readonly AddedPackage[];
  /** Nothing else changed in the files that add them. */
  readonly isPlain: boolean;
  /** Packages that the goal asks for and nobody allowed, and the files that do. */
  readonly missing: { readonly packages: readonly AddedPackage[]; readonly by: readonly string[] };
}

const NONE = { packages: [], by: [] };

/**
 * The setups of a tree. Where a goal's manifests ask for the packages of the original, or for more
 * than a person allows, they are those of the original; where they ask for others, there is none.
 */
export async function planSetups(tree: ProofTree): Promise<SetupPlan[]> {
  const { store, entries, original = entries, setup } = tree;
  const declared = setup?.declared ?? [];
  const { commands = [], workspace = '' } = setup ?? {};
  if (declared.length > 0) {
    const one = declaredSetup(declared);
    return [{ ...one, ...givenTo(one, new Map(), original, workspace), ...AS_BEFORE }];
  }
  const detect = (from: Entries) =>
    detectSetups({ paths: from.keys(), read: (path) => textOf(store, from, path), commands });
  const { setups: known } = await detect(original);
  const plans: SetupPlan[] = [];
  for (const found of original === entries ? known : (await detect(entries)).setups) {
    const before = known.find(({ tool, folder }) => tool === found.tool && folder === found.folder);
    if (before === undefined) continue;
    const [own, files] = [filesOf(before, original), filesOf(found, entries)];
    const asked = isSame(own, files)
      ? { added: [], isPlain: true }
      : ((await askedBy(before, found, tree)) ?? othersOf(tree));
    if (asked === null) continue;
    const by = changedIn(own, files);
    const isAllowed = asked.added.length > 0 && isAllowedIn(tree, by);
    plans.push(
      isAllowed
        ? { ...found, ...givenTo(found, files, original, workspace), ...asked, missing: NONE }
        : {
            ...{ ...before, ...givenTo(before, own, original, workspace), ...AS_BEFORE },
            missing: { packages: asked.added, by },
          },
    );
  }
  return plans;
}

const AS_BEFORE = { added: [], isPlain: true, missing: NONE };

const othersOf = ({ setup }: ProofTree): AskedPackages | null =>
  setup?.others === 'original' ? { added: [], isPlain: false } : null;

/** By the policy, or because a person accepted each of these files as it is. */
const isAllowedIn = ({ setup, entries }: ProofTree, by: readonly string[]): boolean =>
  setup?.dependencies === 'allow' ||
  by.every((path) => setup?.accepted?.[path] === entryId(entries.get(path) ?? null));

const changedIn = (before: Entries, now: Entries): string[] =>
  [...new Set([...before.keys(), ...now.keys()])]
    .filter((path) => !isSameEntry(before.get(path), now.get(path)))
    .sort();

/** What its command runs on, and by what its result is known again. */
export function givenTo(setup: Setup, inputs: Entries, original: Entries, workspace: string) {
  const files = setup.needsTree === undefined ? inputs : new Map([...original, ...inputs]);
  const deciding = setup.needsTree === 'content' ? files : inputs;
  const at = setup.isBoundToPath === true ? workspace : '';
  return { files, digest: setupDigest(setup, deciding, at) };
}

/** Null where more is asked for than additions. */
async function askedBy(
  before: Setup,
  now: Setup,
  { store, entries, original = entries }: ProofTree,
): Promise<AskedPackages | null> {
  const rules = managerOf(before)?.additions;
  if (rules === undefined || before.lock === null || before.lock !== now.lock) return null;
  const others = (of: Setup, from: Entries) =>
    new Map([...filesOf(of, from)].filter(([path]) => !rules.changes.test(path)));
  if (!isSame(others(before, original), others(now, entries))) return null;
  const inputsOf = async ({ lock, inputs }: Setup, from: Entries) => {
    const paths = (inputs ?? []).filter((path) => path !== lock && rules.changes.test(path));
    const texts = await Promise.all(paths.map((path) => textOf(store, from, path)));
    const manifests = new Map(paths.map((path, index) => [path, texts[index] ?? '']));
    return { lock: (lock === null ? null : await textOf(store, from, lock)) ?? '', manifests };
  };
  const [old, young] = [await inputsOf(before, original), await inputsOf(now, entries)];
  return askedPackages(rules, old, young, before.lock, namesTaken(original));
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
