import type { TrackedCriterion } from '../../schema/criteria.ts';
import type { Goal } from '../../schema/goal.ts';
import type { GoalProof } from '../../schema/goal-proof.ts';
import type { ShownChange } from '../../schema/proof-change.ts';
import type { ShownTodoList } from '../../schema/todo.ts';
import { changeLines } from './change-text.ts';
import { proofLines } from './proof-text.ts';
import { broken, line, wrapped } from './screen/fit.ts';
import { inAscii, type Look, type SignName } from './screen/look.ts';
import { oneLine } from './terminal.ts';
import { signOf, tintOf } from './watch/foot.ts';
import { whyLines } from './watch/screen-lines.ts';

export interface Gate {
  readonly turn: number | null;
  readonly missing: readonly string[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly changes: readonly ShownChange[];
  readonly proof: GoalProof | null;
  readonly criteria: TrackedCriterion[];
}

export interface GateFacts {
  readonly gate: Gate;
  readonly goal: Pick<Goal, 'goalId' | 'status' | 'activity' | 'pause' | 'completion'>;
  readonly todos: ShownTodoList;
  /** Why the last run of a criterion failed, in lines, by its id. */
  readonly why: ReadonlyMap<string, readonly string[]>;
}

/** What is missing, why, and who can give it; then what is met. */
export function gateLines(facts: GateFacts, look: Look): string[] {
  const { gate, todos } = facts;
  const open = gate.criteria.filter(({ state }) => state !== 'met');
  const met = gate.criteria.filter(({ state }) => state === 'met');
  const items = todos.items.filter(({ status }) => status !== 'completed' && status !== 'dropped');
  const lines = [
    headLine(facts, open.length + items.length, look),
    ...open.flatMap((one) => criterionLines(facts, one, look)),
    ...items.flatMap((item) => todoLines(facts, item, look)),
    ...otherReasons(facts, look),
    ...met.flatMap((one) => criterionLines(facts, one, look)),
    ...(gate.changes.length === 0 ? [] : paragraph(gate.reasons.basis ?? '', look)),
    ...changeLines(gate.changes),
    ...(gate.proof === null ? nextLines(facts, look) : proofLines(gate.proof)),
  ];
  return look.isAscii ? lines.map(inAscii) : lines;
}

/** Does the goal stand still until a person decides? */
export const holdsForPerson = ({ status, activity, pause }: GateFacts['goal']): boolean =>
  status !== 'complete' && (activity.actor === 'You' || pause?.approvalId !== undefined);

function headLine({ gate, goal, todos }: GateFacts, missing: number, look: Look): string {
  const all =
    gate.criteria.length + todos.items.filter(({ status }) => status !== 'dropped').length;
  const asked =
    gate.turn === null ? 'the gate was not asked yet' : `asked last in turn ${gate.turn}`;
  const right = [{ text: asked, paint: look.paint.dim }];
  if (goal.status === 'complete') {
    const verified = goal.completion?.verification === 'verified';
    const words = verified
      ? `${look.signs.proved} verified`
      : `complete, ${goal.completion?.verification ?? 'by hand'}`;
    return line(look, [{ text: words, ...(verified ? { paint: look.paint.good } : {}) }], right);
  }
  if (holdsForPerson(goal)) {
    const words = `${look.signs.holds} holds for a person: ${oneLine(goal.pause?.message ?? goal.activity.reason, 200)}`;
    return line(look, [{ text: words, gives: true, paint: look.paint.you }], right);
  }
  const words =
    missing === 0
      ? 'Not finished yet: nothing is missing here, the proof run decides'
      : `Not finishable yet: ${missing} of ${all} lack evidence`;
  return line(look, [{ text: words, gives: true }], right);
}

function criterionLines(
  { gate, why, goal }: GateFacts,
  criterion: TrackedCriterion,
  look: Look,
): string[] {
  const { criterionId, spec, state, baseline, origin, reason = '', receipts } = criterion;
  const sign = signOf(goal, criterion);
  const what = 'command' in spec ? spec.command : 'question' in spec ? spec.question : spec.kind;
  const receipt = receipts.at(-1);
  const from = origin === 'caller' ? '' : `, ${origin}`;
  const said = firstLine(gate.reasons[criterionId] ?? reason);
  return requirement(
    {
      ...{ sign, id: criterionId, what: spec.name ?? what },
      state: `${state}${receipt === undefined ? '' : ` #${receipt}`}`,
      beside: `(baseline ${baseline}${from})`,
      said: state === 'met' ? '' : said,
      who: state === 'met' ? '' : spec.kind === 'approval' ? 'You' : 'Agent',
      why: why.get(criterionId) ?? [],
    },
    look,
  );
}

function todoLines(
  { gate }: GateFacts,
  { id, content, status }: ShownTodoList['items'][number],
  look: Look,
): string[] {
  const sign: SignName = status === 'in_progress' ? 'doing' : 'open';
  const said = firstLine(gate.reasons[id] ?? '');
  const what = { sign, id, what: content, state: status.replace('_', ' '), beside: '' };
  return requirement({ ...what, said, who: '', why: [] }, look);
}

interface Requirement {
  readonly sign: SignName;
  readonly id: string;
  readonly what: string;
  readonly state: string;
  readonly beside: string;
  readonly said: string;
  readonly who: string;
  readonly why: readonly string[];
}

function requirement({ sign, id, what, state, beside, said, who, why }: Requirement, look: Look) {
  const { signs, paint } = look;
  const head = line(
    look,
    [
      { text: `  ${signs[sign]} `, paint: tintOf(sign, look) },
      { text: `${id.padEnd(3)} ` },
      { text: oneLine(what, 300), gives: true },
    ],
    [
      { text: state, paint: tintOf(sign, look) },
      { text: beside === '' ? '' : `  ${beside}`, drop: 1, paint: paint.dim },
    ],
  );
  const reason = [said, who === '' ? '' : `→ ${who}`].filter((text) => text !== '').join('   ');
  const lines =
    reason === '' ? [] : wrapped(reason, broken(look, 8)).map((text) => `        ${text}`);
  return [head, ...lines, ...whyLines(why, look)];
}

/** What lacks beside criteria and items, such as a requirement that nothing checks. */
function otherReasons({ gate, todos }: GateFacts, look: Look): string[] {
  const known = new Set([
    ...gate.criteria.map(({ criterionId }) => criterionId),
    ...todos.items.map(({ id }) => id),
    'basis',
  ]);
  return gate.missing
    .filter((id) => !known.has(id))
    .flatMap((id) => paragraph(`missing ${id}: ${gate.reasons[id] ?? ''}`, look));
}

const paragraph = (text: string, look: Look): string[] =>
  text
    .split('\n')
    .filter((one) => one !== '')
    .flatMap((one, index) =>
      wrapped(oneLine(one, 600), broken(look, 6)).map(
        (row) => `${index === 0 ? '  ' : '    '}${row}`,
      ),
    );

const firstLine = (text: string): string => oneLine(text.split('\n')[0] ?? '', 400);

function nextLines({ goal, gate }: GateFacts, look: Look): string[] {
  if (goal.status === 'complete' || gate.criteria.length === 0) return [];
  return [look.paint.dim('A claim goes to the gate; then the proof run decides.')];
}
