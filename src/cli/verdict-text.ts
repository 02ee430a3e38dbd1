import stringWidth from 'string-width';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { GoalProofPredicate } from '../../schema/proof-bundle.ts';
import type { Coverage } from '../../schema/requirement.ts';
import type { RefusalCode } from '../attest/refused.ts';
import type { Rerun } from '../attest/rerun.ts';
import type { Held } from '../attest/verify-bundle.ts';
import { visibleLine } from '../record/foreign-text.ts';
import { shownPath } from '../workspace/shown-path.ts';
import { broken, line, wrapped } from './screen/fit.ts';
import { formOf, inAscii, type Look, type SignName, shortId } from './screen/look.ts';
import { ticking } from './screen/units.ts';
import { oneLine } from './terminal.ts';

type Part = 'signature' | 'files' | 'ledger' | 'verified';

/** Which of the lines a fault stands in. */
const PARTS: Record<RefusalCode, Part> = {
  ...{ unreadable: 'signature', key_unknown: 'signature', signature: 'signature' },
  ...{ composition: 'signature', ledger_chain: 'ledger', inconsistent: 'verified' },
  ...{ not_verified: 'verified', base_missing: 'files', base_differs: 'files' },
  ...{ workspace_differs: 'files', rerun_incomplete: 'files', rerun_failed: 'verified' },
};

const NAMES = 12;

/** What held, line by line as far as it was looked at. `kind` is the key's, as Node calls it. */
export function heldLines(held: Held, kind: string, look: Look): string[] {
  const { signature, files, ledger } = held;
  if (signature === undefined) return [];
  const { keyId, predicate } = signature;
  const { rows, head } = predicate.ledger;
  const own = [
    row(look, 'proved', 'signature', `${kind}:${cut(keyId, look)}, a key that you trust`),
    ...(files === undefined ? [] : [row(look, 'proved', 'files', filesText(predicate, look))]),
    ...(ledger === undefined
      ? []
      : [
          row(
            look,
            'proved',
            'ledger',
            [
              `${counted(rows.length, 'row')}, chain whole, head ${cut(head.hash, look)}`,
              `${ledger.recomputed} recomputed here${ledger.sealed === 0 ? '' : `, ${ledger.sealed} sealed by the installation`}`,
            ].join('; '),
          ),
        ]),
  ];
  return shown([headLine(predicate, look), ...own.flat()], look);
}

/** The end of a bundle that holds: who checked what, and how it was proven. */
export function verifiedLines(held: Required<Held>, rerun: readonly Rerun[] | null, look: Look) {
  const { predicate } = held.signature;
  return shown(
    [
      ...aboutLines(held, look),
      ...row(look, 'proved', 'verified', verifiedText(predicate), look.paint.good),
      ...criterionLines(predicate, look),
      ...rerunLines(predicate, rerun, look),
    ],
    look,
  );
}

/** What differs, or that a person has to decide; nothing behind it was looked at. */
export function refusalLines(
  held: Held,
  { code, message, wayOut }: { code: RefusalCode; message: string; wayOut: string },
  look: Look,
): string[] {
  const { signature, files } = held;
  if (code !== 'not_verified' || signature === undefined || files === undefined) {
    const said = `refused (${code}): ${visibleLine(message)}`;
    return shown(
      [...row(look, 'failed', PARTS[code], said), ...row(look, null, 'way out', wayOut)],
      look,
    );
  }
  const { level, completedBy } = signature.predicate;
  const who = completedBy === 'person' ? 'a person declared it complete' : `level ${level}`;
  const about = `The host did not prove it: ${who.replaceAll('_', ' ')}. ${wayOut}`;
  const words = `${look.signs.holds} holds, waits for a person`;
  const end = [look.paint.you(words), ...wrapped(about, broken(look, 2)).map((one) => `  ${one}`)];
  return shown([...aboutLines({ ...held, signature, files }, look), ...end], look);
}

const shown = (lines: readonly string[], look: Look): string[] =>
  look.isAscii ? lines.map(inAscii) : [...lines];

const headLine = ({ goal }: GoalProofPredicate, look: Look): string =>
  line(look, [
    { text: `${look.signs.goal} ${shortId(goal.goalId, look)}  `, paint: look.paint.acting },
    { text: oneLine(visibleLine(goal.objective), 400), gives: true },
  ]);

function row(
  look: Look,
  sign: SignName | null,
  name: string,
  text: string,
  paint: (text: string) => string = (same) => same,
): string[] {
  const mark = sign === null ? ' ' : look.signs[sign];
  const width = stringWidth(look.signs.proved) + 1 + NAMES;
  const [first = '', ...more] = wrapped(text, broken(look, width));
  const tint = sign === 'failed' ? look.paint.bad : look.paint.good;
  const blank = ' '.repeat(Math.max(0, stringWidth(look.signs.proved) - stringWidth(mark)));
  return [
    `${sign === null ? mark : tint(mark)}${blank} ${paint(`${name.padEnd(NAMES)}${first}`)}`,
    ...more.map((one) => paint(' '.repeat(width) + one)),
  ];
}

/** Files have room for all of it. */
const cut = (hash: string, look: Look): string =>
  look.isFile ? hash : hash.slice(0, formOf(look) === 'narrow' ? 8 : 12);

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

function namesOf(names: readonly string[], look: Look): string {
  const most = look.isFile ? names.length : formOf(look) === 'narrow' ? 2 : 6;
  const rest = names.length - most;
  return `${names.slice(0, most).map(shownPath).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function filesText({ proof, base }: GoalProofPredicate, look: Look): string {
  const gone = proof.files.filter(({ sha256 }) => sha256 === null).length;
  const there = proof.files.length - gone;
  const from = 'missing' in base || base.commit === null ? 'no commit' : base.commit.slice(0, 7);
  const removed = gone === 0 ? '' : `, ${gone} gone as it should be`;
  return `${there} of ${there} hashes as in this checkout${removed} (${from} + ${proof.files.length}; tree ${cut(proof.tree, look)})`;
}

function aboutLines({ signature, files }: Pick<Required<Held>, 'signature' | 'files'>, look: Look) {
  const { requirements, proof } = signature.predicate;
  const about = [
    ['checked by', checkedText(requirements)],
    ['felt', feltText(proof.felt, look)],
    ['beyond', beyondText(proof, files.besides.length, look)],
    ['in no proof', files.unkept.length === 0 ? '' : namesOf(files.unkept, look)],
  ] as const;
  return about.flatMap(([name, text]) => (text === '' ? [] : row(look, null, name, text)));
}

function checkedText(coverage: Coverage | null): string {
  if (coverage === null) return 'the criteria alone: nobody split the objective';
  const { host, person, nobody, requirements } = coverage;
  const alone = requirements.flatMap(({ by, requirementId }) =>
    by === 'nobody' ? [requirementId] : [],
  );
  return [
    `${counted(host, 'requirement')} by the host`,
    ...(person === 0 ? [] : [`${person} by a person`]),
    ...(nobody === 0 ? [] : [`${nobody} by nobody (${alone.join(', ')})`]),
  ].join(', ');
}

function feltText(felt: GoalProof['felt'], look: Look): string {
  if (felt === undefined) return 'not looked at';
  const all = felt.felt.length + felt.unfelt.length + felt.untried.length;
  return [
    `${felt.felt.length} of ${counted(all, 'changed file')}`,
    ...(felt.unfelt.length === 0 ? [] : [`not ${namesOf(felt.unfelt, look)}`]),
    ...(felt.untried.length === 0 ? [] : [`not tried ${namesOf(felt.untried, look)}`]),
  ].join('; ');
}

function beyondText(
  { beyondScope, accepted, selfChecked }: GoalProof,
  here: number,
  look: Look,
): string {
  const lie = here === beyondScope.length ? '' : ` (${here} of them in this checkout)`;
  const parts = [
    ...(accepted.length === 0
      ? []
      : [`${counted(accepted.length, 'change')} accepted by a person: ${namesOf(accepted, look)}`]),
    ...(beyondScope.length === 0
      ? []
      : [
          `${counted(beyondScope.length, 'file')}, the proof needs none: ${namesOf(beyondScope, look)}${lie}`,
        ]),
    ...(selfChecked ? ['the work includes files that judge it'] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}

function verifiedText(predicate: GoalProofPredicate): string {
  const { criteria, proof, isolation } = predicate;
  const count = (baseline: string) => criteria.filter((one) => one.baseline === baseline).length;
  const [held, untold] = [count('met'), count('not_run')];
  const canaries = proof.criteria.flatMap(({ canaries }) => canaries?.state ?? []);
  const noticed = canaries.filter((state) => state === 'held').length;
  const deaf = proof.criteria.filter((one) => one.canaries?.state === 'deaf');
  const placed = proof.criteria.length;
  return [
    `${count('unmet')} of ${counted(criteria.length, 'criterion').replace('criterions', 'criteria')} unmet → met`,
    ...(held === 0 ? [] : [`${held} held before and now`]),
    ...(untold === 0 ? [] : [`${untold} not run before`]),
    `${placed === criteria.length ? '' : `${placed} of ${criteria.length} `}in a clean place (isolation ${isolation ?? 'not recorded'})`,
    ...(noticed === 0
      ? []
      : [`canaries failed as they must${noticed === placed ? '' : ` in ${noticed} of ${placed}`}`]),
    ...(deaf.length === 0
      ? []
      : [`${deaf.map(({ criterionId }) => criterionId).join(', ')} hears no canary`]),
  ].join(', ');
}

/** What was checked, which is more than a number. */
function criterionLines({ criteria }: GoalProofPredicate, look: Look): string[] {
  return criteria.flatMap(({ criterionId, spec, baseline }) => {
    const what = 'command' in spec ? spec.command : 'path' in spec ? spec.path : (spec.name ?? '');
    const text = `${spec.kind} ${visibleLine(what)}`.trim();
    const before = baseline === 'met' ? ' (held before)' : '';
    return row(look, null, `  ${criterionId}`, `${text}${before}`, look.paint.dim);
  });
}

function rerunLines(
  predicate: GoalProofPredicate,
  rerun: readonly Rerun[] | null,
  look: Look,
): string[] {
  if (rerun === null) {
    const took = secondsOf(predicate);
    const about = took === 0 ? '' : ` (≈ ${ticking(took)})`;
    const said = `Not repeated here. Repeat the proof run on this machine: add --rerun${about}`;
    return wrapped(said, broken(look, 2)).map((one) => look.paint.dim(`  ${one}`));
  }
  return rerun.flatMap(({ criterionId, reason, tests, canaries, isolation }) => {
    const facts = [
      ...(tests === null ? [] : [counted(tests, 'test')]),
      ...(canaries === null ? [] : [`canaries ${canaries.replaceAll('_', ' ')}`]),
      `isolation ${isolation}`,
    ];
    const text = `${criterionId} ${visibleLine(reason)} (${facts.join(', ')})`;
    return row(look, 'proved', 'repeated', text);
  });
}

/** What the proof's own runs took where they were made. */
function secondsOf({ ledger, proof }: GoalProofPredicate): number {
  const took = ledger.rows.map((one) =>
    'phase' in one && one.receipt?.proof?.tree === proof.tree ? (one.receipt.durationMs ?? 0) : 0,
  );
  return Math.round(took.reduce((sum, ms) => sum + ms, 0) / 1000);
}
