import {
  type ChatRequest,
  objectiveOf,
  reply,
  type Script,
  type ScriptedReply,
  type ScriptedUsage,
} from '../../demo/script.ts';
import { assertProposable } from '../../src/api/criterion-fields.ts';
import { createTokenCounter } from '../../src/model/tokens.ts';
import { builtInTools } from '../../src/tools/built-in.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { type Plan, whole } from './plan.ts';

/** What became of one request, as the provider's own books have it. */
export interface Delivered {
  readonly how: 'whole' | 'without usage' | 'cut' | 'refused';
  /** What the request took and gave, reported or not; a refused one took nothing. */
  readonly usage: Required<ScriptedUsage>;
}

export interface Provider {
  readonly script: Script;
  /** In the order of the requests. */
  delivered(index: number): readonly Delivered[];
}

const count = createTokenCounter();
const toolTokens = count(
  JSON.stringify(createRegistry(builtInTools(assertProposable)).declarations('agent')),
);
const TOKENS_PER_MESSAGE = 5;
const CACHED_SHARES = [0, 0, 0.5, 0.9];

/** A model server for all goals, whose sizes, errors and caches are random, and which keeps books. */
export function createProvider(plans: readonly Plan[], longShare: number): Provider {
  const books = new Map<number, Delivered[]>();
  const bookOf = (index: number) => books.get(index) ?? [];
  const script: Script = (request) => {
    const index = Number(objectiveOf(request).match(/^budget (\d+)/)?.[1]);
    const plan = plans[index];
    if (plan === undefined) return reply.error(400);
    const book = bookOf(index);
    const { answer, delivered } = answerTo(plan, request, { number: book.length, longShare });
    books.set(index, [...book, delivered]);
    return answer;
  };
  return { script, delivered: bookOf };
}

const FREE = { input: 0, cached: 0, output: 0 };

function answerTo(
  plan: Plan,
  request: ChatRequest,
  { number, longShare }: { readonly number: number; readonly longShare: number },
): { answer: ScriptedReply; delivered: Delivered } {
  const { random } = plan;
  const fate = random();
  if (fate < 0.05) {
    const answer = reply.error(429, undefined, { 'retry-after': '0' });
    return { answer, delivered: { how: 'refused', usage: FREE } };
  }
  if (fate < 0.07) return { answer: reply.error(503), delivered: { how: 'refused', usage: FREE } };
  const { spoken, output, isCut } = wordsOf(plan, request, longShare);
  const input = Math.round(inputOf(request) * plan.inputFactor);
  const cached = Math.floor(input * (CACHED_SHARES[whole(random, 0, 3)] ?? 0));
  const usage = { input, cached, output };
  const said = sayOrCall(spoken, number, isCut);
  if (fate < 0.12) {
    const how = random() < 0.5 ? 'socket' : 'end';
    const cutAfter = { characters: whole(random, 1, spoken.length), how } as const;
    return { answer: { text: spoken, cutAfter }, delivered: { how: 'cut', usage } };
  }
  if (fate < 0.18)
    return { answer: { ...said, usage: null }, delivered: { how: 'without usage', usage } };
  return { answer: { ...said, usage }, delivered: { how: 'whole', usage } };
}

/** Mostly short, a share as long as the cap lets it be, thrice that in between. */
function wordsOf({ random }: Plan, request: ChatRequest, longShare: number) {
  const size = random();
  const [low, high] =
    size < 1 - 4 * longShare ? [20, 300] : size < 1 - longShare ? [300, 1500] : [1500, 5000];
  const wanted = whole(random, low, high);
  const output = Math.min(wanted, request.maxTokens ?? wanted);
  return { spoken: ' word'.repeat(output).slice(1), output, isCut: output < wanted };
}

/** Every second answer works on a file, each time another, so that no rule about repetition fires. */
function sayOrCall(text: string, number: number, isCut: boolean): ScriptedReply {
  if (isCut) return { text, finishReason: 'length' };
  if (number % 3 === 2) return { text };
  return { text, calls: [{ tool: 'list_files', input: { glob: `${number}*` } }] };
}

function inputOf(request: ChatRequest): number {
  return request.messages.reduce(
    (sum, { text, calls }) =>
      sum +
      count(text) +
      TOKENS_PER_MESSAGE +
      calls.reduce((inCalls, call) => inCalls + count(call.tool) + count(call.input), 0),
    toolTokens,
  );
}
