import type {
  PlanEntry,
  RequestPermissionRequest,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';

/** What one prompt's updates add up to, whatever number of them came. */
export interface UpdateLog {
  take(update: SessionUpdate): void;
  /** What it said; the beginning is left out where it said too much. */
  text(): string;
  thoughts(): string;
  /** The steps that it told last, one a line with its state; empty = it told none. */
  plan(): string;
  /** What its work cost in all of its session so far, in US dollars; null = it doesn't say. */
  cost(): number | null;
  /** Calls that it speaks of, in order; beyond the most that are kept they are only counted. */
  calls(): readonly SaidCall[];
  leftOut(): number;
}

/** A tool call of which the agent speaks. The host saw nothing of it. */
export interface SaidCall {
  readonly id: string;
  title: string;
  kind: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed';
  /** Whole, since it is judged; only the size of a turn bounds it. */
  input: string | null;
  paths: readonly string[];
  output: string;
}

export const MOST_CALLS = 300;
const MOST_TEXT = 100_000;
const MOST_TITLE = 300;
const MOST_OUTPUT = 16_000;
const MOST_PATHS = 50;
const MOST_STEPS = 100;
const MOST_STEP = 500;
const CUT = '[…]\n';

export function createUpdateLog(onCall: (call: SaidCall) => void): UpdateLog {
  const [said, thought] = [tail(), tail()];
  const calls = new Map<string, SaidCall>();
  let leftOut = 0;
  let cost: number | null = null;
  let plan = '';
  const takeCall = (update: ToolCallUpdate) => {
    const known = calls.get(update.toolCallId);
    if (known === undefined && calls.size >= MOST_CALLS) {
      leftOut += 1;
      return;
    }
    const call = known ?? begun(update.toolCallId);
    if (known !== undefined && isOver(known)) return;
    change(call, update);
    calls.set(call.id, call);
    onCall(call);
  };
  return {
    take(update) {
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          said.add(textOf(update.content));
          return;
        case 'agent_thought_chunk':
          thought.add(textOf(update.content));
          return;
        case 'tool_call':
        case 'tool_call_update':
          takeCall(update);
          return;
        case 'plan':
          plan = planText(update.entries);
          return;
        case 'usage_update':
          if (update.cost?.currency === 'USD') cost = update.cost.amount;
          return;
        default:
          return;
      }
    },
    text: said.text,
    thoughts: thought.text,
    plan: () => plan,
    cost: () => cost,
    calls: () => [...calls.values()],
    leftOut: () => leftOut,
  };
}

export const isOver = ({ status }: SaidCall): boolean =>
  status === 'completed' || status === 'failed';

/** A call as a question about it describes it. */
export function askedCall({ toolCall }: RequestPermissionRequest, known?: SaidCall): SaidCall {
  const call = known === undefined ? begun(toolCall.toolCallId) : { ...known };
  change(call, toolCall);
  return call;
}

const begun = (id: string): SaidCall => ({
  id: id.slice(0, MOST_TITLE),
  title: '',
  kind: 'other',
  status: 'pending',
  input: null,
  paths: [],
  output: '',
});

function change(call: SaidCall, update: ToolCallUpdate): void {
  if (update.title != null) call.title = update.title.slice(0, MOST_TITLE);
  if (update.kind != null) call.kind = update.kind;
  if (update.status != null) call.status = update.status;
  if (update.rawInput !== undefined) call.input = json(update.rawInput);
  if (update.locations != null)
    call.paths = update.locations.slice(0, MOST_PATHS).map(({ path }) => path.slice(0, 4096));
  if (update.content != null) {
    const shown = update.content.map((one) =>
      one.type === 'content' ? textOf(one.content) : one.type === 'diff' ? one.path : '',
    );
    call.output = shown.join('\n').slice(0, MOST_OUTPUT);
  } else if (update.rawOutput !== undefined && call.output === '') {
    call.output = json(update.rawOutput).slice(0, MOST_OUTPUT);
  }
}

const planText = (entries: readonly PlanEntry[]): string =>
  entries
    .slice(0, MOST_STEPS)
    .map(({ status, content }) => `[${status}] ${content.slice(0, MOST_STEP)}`)
    .join('\n');

const json = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const textOf = (content: { readonly type: string; readonly text?: unknown }): string =>
  content.type === 'text' && typeof content.text === 'string' ? content.text : '';

/** The end of a text that comes in pieces. */
function tail() {
  let kept = '';
  let isCut = false;
  return {
    add(piece: string) {
      kept += piece;
      if (kept.length <= 2 * MOST_TEXT) return;
      kept = kept.slice(-MOST_TEXT);
      isCut = true;
    },
    text: () => {
      const cut = isCut || kept.length > MOST_TEXT;
      return cut ? CUT + kept.slice(-MOST_TEXT) : kept;
    },
  };
}
