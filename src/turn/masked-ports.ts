import { maskInput, type Secrets } from '../attempt/secrets.ts';
import type { AskedRequest, SentPrompt } from '../contract/asked-request.ts';
import type { MessageContent, RequestedCall, StoredMessage } from '../contract/conversation.ts';
import type { JournalPort } from '../contract/journal.ts';
import type { ModelPort } from '../contract/model.ts';
import type { ProofPort } from '../contract/proofs.ts';
import type { RecordPort } from '../contract/record.ts';
import type { CallEnd, CallStart } from '../contract/tool-call.ts';
import type { Masker } from '../secrets/masker.ts';

/**
 * Masks secrets in everything that is stored. The original arguments of a call stay in this
 * process, so that the call runs as the model wrote it.
 */
export function maskedJournal(journal: JournalPort, secrets: Secrets): JournalPort {
  const { mask } = secrets;
  const maskAsked = askedMasker(mask);
  return {
    ...journal,
    openTurn: (fence, turn) => journal.openTurn(fence, mask.value(turn)),
    commitStep: (fence, step) => {
      for (const call of step.content?.calls ?? []) {
        if (maskCall(call, mask) !== call) secrets.keep(fence.goalId, call.callId, call.input);
      }
      const content = step.content && maskContent(step.content, mask);
      const firstCall = step.firstCall && maskStart(step.firstCall, mask);
      return journal.commitStep(fence, { ...step, content, firstCall });
    },
    beginStep: (fence, { settles, asked, ...step }) =>
      journal.beginStep(fence, {
        ...step,
        asked: asked && maskAsked(asked),
        settles: settles && maskEnd(settles, mask),
      }),
    commitCompaction: (fence, { compaction, ...done }) =>
      journal.commitCompaction(fence, { ...done, compaction: mask.value(compaction) }),
    failStep: (fence, { partialText, trouble, ...step }) =>
      journal.failStep(fence, {
        ...step,
        trouble: mask.value(trouble),
        partialText: partialText && mask.text(partialText),
      }),
    startCall: (fence, call) => journal.startCall(fence, maskStart(call, mask)),
    settleCall: (fence, end) => journal.settleCall(fence, maskEnd(end, mask)),
  };
}

/**
 * Masks the reasons of criteria, and what a slice says of itself. What else the record is given was
 * masked when it left the activity that made it.
 */
export function maskedRecord(record: RecordPort, mask: Masker): RecordPort {
  return {
    ...record,
    settleSlice: (execution, fence, slice) =>
      record.settleSlice(execution, fence, mask.value(slice)),
    recordBaseline: (execution, { reasons, ...baseline }, detected) =>
      record.recordBaseline(execution, { ...baseline, reasons: mask.value(reasons) }, detected),
  };
}

/** Masks the diffs that people look at. */
export function maskedProofs(proofs: ProofPort, mask: Masker): ProofPort {
  return {
    ...proofs,
    keepFinding: (fence, turn, { changes, ...finding }) =>
      proofs.keepFinding(fence, turn, { changes: mask.value(changes), ...finding }),
  };
}

/** Masks secrets in prompts too, because they go to a provider. */
export function maskedModel(model: ModelPort, mask: Masker): ModelPort {
  const known = new WeakMap<StoredMessage, StoredMessage>();
  const masked = (message: StoredMessage): StoredMessage => {
    const content = maskContent(message.content, mask);
    const shown = content === message.content ? message : { ...message, content };
    known.set(message, shown);
    return shown;
  };
  return {
    ...model,
    call({ onText, ...request }) {
      const messages = request.messages.map((message) => known.get(message) ?? masked(message));
      return withMaskedStream(mask, onText, (send) =>
        model.call({
          ...request,
          system: mask.text(request.system),
          messages,
          ...(send && { onText: send }),
        }),
      );
    },
  };
}

async function withMaskedStream<Answer>(
  mask: Masker,
  onText: ((delta: string) => void) | undefined,
  call: (onText?: (delta: string) => void) => Promise<Answer>,
): Promise<Answer> {
  if (onText === undefined) return await call();
  const stream = mask.stream('words');
  const send = (text: string): void => {
    if (text !== '') onText(text);
  };
  try {
    return await call((delta) => send(stream.push(delta)));
  } finally {
    send(stream.end());
  }
}

/** Returns the same object if it holds no secret. */
export function maskContent(content: MessageContent, mask: Masker): MessageContent {
  const { text, token, calls, providerParts, attachments } = content;
  const masked = {
    text: mask.text(text),
    token: token === undefined ? token : mask.text(token),
    calls: calls?.map((call) => maskCall(call, mask)),
    providerParts: safeParts(providerParts, mask),
    attachments: maskFiles(attachments, mask),
  };
  const isSame =
    masked.text === text &&
    masked.token === token &&
    masked.providerParts === providerParts &&
    masked.attachments === attachments &&
    (calls ?? []).every((call, index) => call === masked.calls?.[index]);
  if (isSame) return content;
  const present = Object.entries(masked).filter(([, value]) => value !== undefined);
  const { providerParts: _, ...rest } = content;
  return { ...rest, ...Object.fromEntries(present) };
}

/** Returns the same list if none holds a secret. Nobody looks for one in an image. */
function maskFiles(files: MessageContent['attachments'], mask: Masker) {
  const masked = files?.map((file) => {
    const { name, shown } = file;
    const text = shown?.kind === 'text' ? mask.text(shown.text) : null;
    const isSame =
      mask.text(name) === name && (text === null || shown?.kind !== 'text' || text === shown.text);
    if (isSame) return file;
    const safe = text === null ? {} : { shown: { kind: 'text' as const, text } };
    return { ...file, name: mask.text(name), ...safe };
  });
  return masked?.every((file, index) => file === files?.[index]) ? files : masked;
}

function maskCall(call: RequestedCall, mask: Masker): RequestedCall {
  const input = maskInput(call.input, mask);
  const tool = mask.text(call.tool);
  if (input === call.input && tool === call.tool) return call;
  return { ...call, tool, input, isMasked: true };
}

/**
 * Provider parts are signed, and a changed part is invalid: a part with a secret is dropped.
 * Signatures resemble secrets by chance, so only readable text is judged by its shape.
 */
function safeParts(parts: unknown, mask: Masker): unknown {
  if (parts === undefined) return parts;
  const { reasoning } = parts as { reasoning?: readonly { readonly text?: unknown }[] };
  const texts = (Array.isArray(reasoning) ? reasoning : []).map(({ text }) => String(text ?? ''));
  const whole = JSON.stringify(parts);
  const isSafe = mask.known(whole) === whole && texts.every((text) => mask.text(text) === text);
  return isSafe ? parts : undefined;
}

/**
 * A plan with a masked path would lead elsewhere, so the plan is dropped and the call's end stays
 * unknown.
 */
function maskStart(call: CallStart, mask: Masker): CallStart {
  const { plan } = call;
  const isSafe = plan === undefined || mask.text(plan.path) === plan.path;
  return {
    ...call,
    tool: mask.text(call.tool),
    arguments: mask.value(call.arguments),
    plan: isSafe ? plan : undefined,
  };
}

/** A prompt is masked once: it stays the same object from step to step. */
function askedMasker(mask: Masker): (asked: AskedRequest) => AskedRequest {
  const known = new WeakMap<SentPrompt, SentPrompt>();
  return ({ prompt, own, ...asked }) => {
    const masked = known.get(prompt) ?? { ...prompt, system: mask.text(prompt.system) };
    known.set(prompt, masked);
    return { ...asked, prompt: masked, own: own.map((content) => maskContent(content, mask)) };
  };
}

/** The output is excluded: it was masked at its source. */
function maskEnd(end: CallEnd, mask: Masker): CallEnd {
  const { output, providerId, images, ...rest } = end;
  const named = images?.map((image) => ({ ...image, name: mask.text(image.name) }));
  return { ...mask.value(rest), providerId, output, images: named };
}
