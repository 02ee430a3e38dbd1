import { enterFolder, type Folder, isForeign } from '../read/folder.ts';
import { type Invocation, invocationOf } from '../read/invocation.ts';
import type { Fact } from '../read/path.ts';
import type { Script, ShellReader } from '../read/script.ts';
import { commandsIn, filtersIn } from '../read/walk.ts';
import { hidingReason, idleReason } from '../ways/idle.ts';
import { maskReason } from '../ways/masks.ts';
import { outcomesOf } from '../ways/outcomes.ts';
import { type Comparison, compareInvocations } from './compare.ts';
import { mentionsIn, tellingMentions } from './mentions.ts';
import { isHandEdit, shellTamperingIn, tamperingIn } from './tampering.ts';

/** A command line that is cited as proof. */
export interface Claim {
  readonly command: string;
  /** Relative to the workspace; absent = wherever in it. */
  readonly cwd?: string | undefined;
}

/** A command line that ran, and exited as it should. */
export interface RanCommand {
  readonly command: string;
  /** Relative to the workspace; absent = its root. */
  readonly cwd?: string | undefined;
  /** The step declared that this command should fail, so nothing in it masks the proof. */
  readonly expectFailure?: boolean | undefined;
}

export type MatchKind =
  | 'proves'
  /** Other commands ran. */
  | 'different'
  /** It ran, or may have, and its exit code could not show. */
  | 'masked'
  /** Less of it ran than is claimed. */
  | 'narrowed'
  /** The line changes files, programs or the shell around it. */
  | 'tampered'
  /** It ran in another folder. */
  | 'elsewhere'
  /** The cited command proves nothing, no matter who runs it. */
  | 'nothing'
  | 'unreadable';

export interface Match {
  readonly kind: MatchKind;
  readonly reason: string;
  /** Variables that the run had and the citation has not. */
  readonly variables: readonly string[];
}

/** Does the success of a command line that ran show what a cited one says, and if not, why? */
export function matchCommand(claim: Claim, ran: RanCommand, shell: ShellReader): Match {
  const cited = shell.parse(claim.command);
  const run = shell.parse(ran.command);
  if (cited.problem !== null)
    return miss('unreadable', `What is cited can’t be read: ${cited.problem}.`);
  if (run.problem !== null) return miss('unreadable', `What ran can’t be read: ${run.problem}.`);
  const wanted = wantedFacts(claim, cited, ran, shell);
  if ('kind' in wanted) return wanted;
  const found = findAll(wanted, claim, cited, run, ran, shell);
  if (found.kind !== 'proves') return found;
  // If the cited command is an edit itself, only changes to the shell's own rules can deceive.
  const isEdit = wanted.every(({ words }) => isHandEdit(words));
  const tampering = isEdit ? shellTamperingIn(run) : tamperingIn(run);
  return tampering === null ? found : miss('tampered', `The line proves nothing: ${tampering}.`);
}

function miss(kind: MatchKind, reason: string): Match {
  return { kind, reason, variables: [] };
}

/** The certain calls of the cited line when it succeeds, without the filters of its output. */
function wantedFacts(
  claim: Claim,
  cited: Script,
  ran: RanCommand,
  shell: ShellReader,
): Fact[] | Match {
  const start = folderOf(claim.cwd);
  const certain = ran.expectFailure
    ? mentionsIn(cited, start)
    : [...(outcomesOf(cited, start, shell.workspace).onSuccess?.values() ?? [])];
  const filters = filtersIn(cited);
  const facts = certain.filter(({ words }) => !filters.has(spell(words)));
  const [hidden] = facts.flatMap((fact) => hidingReason(fact) ?? []);
  if (hidden !== undefined) return miss('nothing', `What is cited proves nothing: ${hidden}.`);
  const telling = facts.filter((fact) => idleReason(fact) === null);
  if (telling.length > 0) return telling;
  const [idle] = [...facts, ...mentionsIn(cited, start)].flatMap((fact) => idleReason(fact) ?? []);
  const isMasked = facts.length === 0 && tellingMentions(cited, start).length > 0;
  return isMasked
    ? miss('masked', `What is cited proves nothing: ${maskReason(cited)}.`)
    : miss('nothing', `What is cited proves nothing: ${idle ?? 'it runs no check'}.`);
}

function folderOf(cwd: string | undefined): Folder {
  return cwd === undefined ? '' : enterFolder('', cwd);
}

function spell(words: Fact['words']): string {
  return words.map(({ text }) => text).join('\0');
}

function findAll(
  wanted: readonly Fact[],
  claim: Claim,
  cited: Script,
  run: Script,
  ran: RanCommand,
  shell: ShellReader,
): Match {
  const start = folderOf(ran.cwd);
  const outcomes = outcomesOf(run, start, shell.workspace);
  const mentions = mentionsIn(run, start);
  const certain = ran.expectFailure ? mentions : [...(outcomes.onSuccess?.values() ?? [])];
  const place: Place = {
    hasMoved: claim.cwd !== undefined || movesIn(cited),
    base: start,
    workspace: shell.workspace,
  };
  const variables: string[] = [];
  let from = 0;
  for (const fact of wanted) {
    const looks = certain.map((one) => lookAt(fact, one, place));
    const index = looks.findIndex((look, at) => at >= from && look.kind === 'same');
    const look = looks[index];
    if (look?.kind !== 'same') {
      const others = mentions.map((one) => lookAt(fact, one, place));
      return explain(fact, looks, others, run);
    }
    variables.push(...look.variables);
    from = index + 1;
  }
  return { kind: 'proves', reason: 'It ran and succeeded.', variables };
}

function movesIn(script: Script): boolean {
  return commandsIn(script).some(({ words }) => /^(cd|pushd)$/.test(words[0]?.text ?? ''));
}

interface Place {
  /** Whether the citation names its folder. */
  readonly hasMoved: boolean;
  /** The folder in which the run started; a citation may be meant from there. */
  readonly base: Folder;
  readonly workspace: string | undefined;
}

type CommandComparison =
  | { readonly kind: 'same'; readonly variables: readonly string[] }
  | { readonly kind: 'elsewhere'; readonly folders: readonly Folder[] }
  | Exclude<Comparison, { kind: 'same' }>;

/** Compares one cited command with one that ran, in both spellings of its separators. */
function lookAt(wanted: Fact, found: Fact, place: Place): CommandComparison {
  const ran = invocationOf(found, 'text', place.workspace);
  const cited = invocationOf(wanted, 'text', place.workspace);
  const comparison = compareInvocations(cited, ran);
  if (comparison.kind === 'same') return placed(cited, ran, place);
  const slashed = invocationOf(wanted, 'slashed', place.workspace);
  const again = compareInvocations(slashed, slashedArgs(ran));
  return again.kind === 'same' ? placed(slashed, ran, place) : comparison;
}

function slashedArgs(ran: Invocation): Invocation {
  return { ...ran, args: ran.args.map((word) => word.replaceAll('\\', '/')) };
}

function placed(cited: Invocation, ran: Invocation, place: Place): CommandComparison {
  const folders = [...ran.folders];
  const isNamed = place.hasMoved || cited.hasMoved;
  const isThere = isNamed
    ? folders.every((folder) => isOneOf(folder, cited, place))
    : folders.every((folder) => folder !== null && !isForeign(folder));
  if (!isThere) return { kind: 'elsewhere', folders };
  const added = [...ran.environment].filter(
    ([name, value]) => cited.environment.get(name) !== value,
  );
  return { kind: 'same', variables: added.map(([name, value]) => `${name}=${value}`) };
}

function isOneOf(folder: Folder, cited: Invocation, { base }: Place): boolean {
  if (folder === null || isForeign(folder)) return false;
  const claimed = [...cited.folders].filter((one) => one !== null);
  return claimed.some(
    (one) =>
      one === folder || (base !== null && enterFolder(base, one === '' ? '.' : one) === folder),
  );
}

/** The nearest miss says most: what would have to be different for this run to do. */
function explain(
  fact: Fact,
  looks: readonly CommandComparison[],
  others: readonly CommandComparison[],
  run: Script,
): Match {
  const text = fact.words.map((word) => word.text).join(' ');
  const all = [...looks, ...others];
  const elsewhere = all.find((look) => look.kind === 'elsewhere');
  if (elsewhere !== undefined) return miss('elsewhere', elsewhereReason(text, elsewhere.folders));
  const tampered = all.find((look) => look.kind === 'tampered');
  if (tampered !== undefined)
    return miss('tampered', `The line proves nothing: ${tampered.reason}.`);
  if (looks.some((look) => look.kind === 'same')) {
    return miss('different', 'They ran in another order.');
  }
  const narrower = looks.find((look) => look.kind === 'narrowed');
  if (narrower === undefined && others.some((look) => look.kind === 'same')) {
    const isChanged = tamperingIn(run);
    return isChanged === null
      ? miss('masked', `The exit code hides "${text}": ${maskReason(run)}.`)
      : miss('tampered', `The line proves nothing: ${isChanged}.`);
  }
  const narrowed = all.find((look) => look.kind === 'narrowed');
  if (narrowed !== undefined) {
    return miss('narrowed', `Less ran than "${text}" claims: ${quote(narrowed.tokens)}.`);
  }
  const lacking = all.find((look) => look.kind === 'different' && look.missing.length > 0);
  return lacking?.kind === 'different'
    ? miss('different', `The run has no ${quote(lacking.missing)}.`)
    : miss('different', `Other commands ran, not "${text}".`);
}

function elsewhereReason(text: string, folders: readonly Folder[]): string {
  const names = folders.map((folder) => (folder === null ? 'an unknown folder' : folder || '.'));
  return `"${text}" ran in ${names.join(' or ')}, which is not where it is claimed to hold.`;
}

/** The tokens as they were typed: `-t one`, and a manager's own flag without its mark. */
function quote(tokens: readonly string[]): string {
  return tokens
    .map((token) => token.replace(/^(npm|pnpm|yarn):/, '').replace(/^(-\w+)=/, '$1 '))
    .map((token) => `"${token}"`)
    .join(', ');
}
