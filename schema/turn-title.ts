import { missingName } from './missing-name.ts';
import type { Turn } from './turn.ts';

type Titled = Pick<Turn, 'messages' | 'state' | 'kind'> & {
  readonly decision: Pick<NonNullable<Turn['decision']>, 'action' | 'missing' | 'sentence'> | null;
};

const LONGEST = 160;
const LONGEST_DEED = 80;
/** Ids and deeds that are named; of more, their number. */
const MOST_NAMED = 4;
const MOST_DEEDS = 2;

/** Also the refusal at which the goal stopped: of what a claim lacks nothing else tells. */
export const isRefusedClaim = ({
  action,
  missing,
}: {
  readonly action: string;
  readonly missing: readonly string[];
}): boolean => action === 'refuse' || (action === 'pause' && missing.length > 0);

/** A turn in a line: what it did; where it did nothing, what it said or why it ended as it did. */
export function turnTitle({ messages, decision, state, kind }: Titled): string {
  if (decision !== null && isRefusedClaim(decision)) return refusal(decision.missing);
  const deeds = deedsOf(messages.flatMap((message) => message.calls));
  const claimed = decision?.action === 'complete' ? ['claim accepted'] : [];
  const done = [...claimed, ...deeds].slice(0, MOST_DEEDS);
  if (done.length > 0) return done.join(', ');
  const said = messages.findLast(({ voice, text }) => voice === 'model' && text.trim() !== '');
  if (said !== undefined) return firstLine(said.text);
  if (decision !== null) return firstLine(decision.sentence);
  return state === 'open' ? 'Works…' : kind;
}

export function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const [sentence = ''] = /^.{10,}?[.!?](?=\s|$)/.exec(line) ?? [line];
  return sentence.length <= LONGEST ? sentence : `${sentence.slice(0, LONGEST)}…`;
}

const refusal = (missing: readonly string[]): string =>
  missing.length === 0 ? 'claim refused' : `claim refused: ${named(missing.map(missingName))}`;

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

interface AskedCall {
  readonly tool: string;
  readonly input: string;
}

interface Deed {
  readonly tools: readonly string[];
  /** The argument that names what it was done to. */
  readonly argument: string;
  readonly one: (name: string) => string;
  readonly many: (count: number) => string;
}

/** What matters most of a turn comes first. */
const DEEDS: readonly Deed[] = [
  deed(['ask_user'], 'question', (question) => `asked: ${question}`, 'asked', 'question'),
  deed(['report_blocker'], 'reason', (reason) => `blocked: ${reason}`, 'told', 'blocker'),
  deed(
    ['dispute_criterion'],
    'criterionId',
    (id) => `disputed ${id}`,
    'disputed',
    'criterion',
    'criteria',
  ),
  deed(['write_file', 'edit_file'], 'path', (path) => `edited ${path}`, 'edited', 'file'),
  deed(['delegate'], 'task', (task) => `handed over: ${task}`, 'handed over', 'task'),
  deed(['complete_step'], 'step', (step) => `claimed ${step}`, 'claimed', 'step'),
  deed(['run_command'], 'command', (command) => `ran ${command}`, 'ran', 'command'),
  deed(['propose_criterion', 'propose_scope'], '', () => 'made a proposal', 'made', 'proposal'),
  deed(['wait_for', 'continue_work'], 'reason', (reason) => `waited: ${reason}`, 'began', 'wait'),
  deed(['attempt_completion'], '', () => 'claimed to be done', 'made', 'claim'),
  deed(
    ['todo_write', 'update_plan', 'set_requirements'],
    '',
    () => 'changed its list',
    'made',
    'change of its list',
    'changes of its list',
  ),
  deed(['read_file', 'list_files'], 'path', (path) => `read ${path}`, 'read', 'file'),
  deed(
    ['grep_search'],
    'pattern',
    (pattern) => `searched for ${pattern}`,
    'made',
    'search',
    'searches',
  ),
];

function deed(
  tools: readonly string[],
  argument: string,
  one: (name: string) => string,
  verb: string,
  thing: string,
  things?: string,
): Deed {
  return { tools, argument, one, many: (count) => `${verb} ${plural(count, thing, things)}` };
}

function deedsOf(calls: readonly AskedCall[]): string[] {
  const known = DEEDS.flatMap(({ tools, argument, one, many }) => {
    const own = calls.filter(({ tool }) => tools.includes(tool));
    if (own.length === 0) return [];
    const names = [...new Set(own.map((call) => argumentOf(call, argument)))];
    const [name = ''] = names;
    if (names.length > 1) return [many(names.length)];
    return [name === '' && argument !== '' ? many(own.length) : shortened(one(name))];
  });
  const inDeeds = new Set(DEEDS.flatMap(({ tools }) => tools));
  const others = [...new Set(calls.map(({ tool }) => tool).filter((tool) => !inDeeds.has(tool)))];
  return others.length === 0 ? known : [...known, `used ${named(others)}`];
}

/** In one line; empty where the call names nothing, or its arguments are broken. */
function argumentOf({ input }: AskedCall, name: string): string {
  if (name === '') return '';
  try {
    const value = (JSON.parse(input) as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  } catch {
    return '';
  }
}

const shortened = (text: string): string =>
  text.length <= LONGEST_DEED ? text : `${text.slice(0, LONGEST_DEED)}…`;

const plural = (count: number, thing: string, things = `${thing}s`): string =>
  `${count} ${count === 1 ? thing : things}`;
