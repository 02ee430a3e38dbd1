import { callSeq } from '../../../schema/call-subject.ts';
import type { ModelCall } from '../../../schema/model-call.ts';
import { callName } from '../../../schema/model-call-words.ts';
import type { Call, Turn } from '../../../schema/turn.ts';
import { broken, line, shownIn, wrapped } from '../screen/fit.ts';
import { formOf, type Look } from '../screen/look.ts';
import { clock } from '../screen/units.ts';
import { oneLine, printable } from '../terminal.ts';
import { endedOf, turnLines } from '../turns-text.ts';
import { callLines } from '../watch/screen-lines.ts';
import type { ReadTurn } from './read-turn.ts';
import { factsOf } from './request-text.ts';

/** Why calls of a turn failed, by their ids. */
export type Reasons = ReadonlyMap<string, readonly string[]>;

/** One turn: what was said and done in it, which models were asked, and why it led where it led. */
export function turnView(read: ReadTurn, why: Reasons, look: Look): string[] {
  const { turn, before, modelCalls } = read;
  const [head = '', ...ends] = turnLines(turn, before, [], look);
  const lines = [
    head,
    ...storyLines(read, why, look),
    ...ends,
    ...(modelCalls.length === 0 ? [] : ['', look.paint.dim('model calls')]),
    ...modelCalls.flatMap((call, index) => askedLines(call, index, modelCalls, look)),
  ];
  return look.isFile ? lines : lines.map(shownIn(look));
}

/** Words and calls in their order; what the host ran by itself stands where it began. */
export function storyLines({ turn, calls }: ReadTurn, why: Reasons, look: Look): string[] {
  const asked = new Set(turn.messages.flatMap((one) => one.calls.map(({ callId }) => callId)));
  let left = calls;
  const take = (isTaken: (call: Call) => boolean): string[] => {
    const taken = left.filter(isTaken);
    left = left.filter((call) => !isTaken(call));
    return taken.flatMap((call) => callLines(endedOf(call, why.get(call.callId) ?? []), look));
  };
  const lines = turn.messages.flatMap((message) => {
    const own = new Set(message.calls.map(({ callId }) => callId));
    const [first] = left.filter(({ callId }) => own.has(callId));
    const hosts =
      first === undefined ? [] : take((one) => isBefore(one, first) && !asked.has(one.callId));
    return [...hosts, ...messageLines(message, look), ...take(({ callId }) => own.has(callId))];
  });
  return [...lines, ...take(() => true)];
}

const isBefore = (one: Call, other: Call): boolean => callSeq(one) < callSeq(other);

type Message = Turn['messages'][number];

/** Whose words they are is told where they are not the model's. */
export function messageLines({ voice, text }: Message, look: Look): string[] {
  if (text.trim() === '' || !['model', 'person'].includes(voice)) return [];
  const indent = ' '.repeat(formOf(look) === 'narrow' ? 3 : 5);
  const said = voice === 'person' ? `a person: ${text}` : text;
  return printable(said.trim())
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((one) => wrapped(one, broken(look, indent.length)))
    .map((one) => indent + one);
}

function askedLines(
  call: ModelCall,
  index: number,
  all: readonly ModelCall[],
  look: Look,
): string[] {
  const { paint } = look;
  const isNarrow = formOf(look) === 'narrow' && !look.isFile;
  const facts = factsOf(call);
  const head = line(
    look,
    [
      { text: `${String(index + 1).padStart(4)}  ` },
      { text: callName(call, all) },
      { text: `  ${clock(call.startedAt)}`, paint: paint.dim },
      { text: `  ${oneLine(call.model, 200)}`, gives: true, paint: paint.dim },
    ],
    isNarrow ? [] : [{ text: facts }],
  );
  const under = (text: string, tint = paint.dim): string[] =>
    wrapped(text, broken(look, 6)).map((one) => tint(`      ${one}`));
  const trouble = call.trouble === undefined ? [] : under(oneLine(call.trouble, 400), paint.stale);
  return [head, ...(isNarrow ? under(facts) : []), ...trouble];
}
