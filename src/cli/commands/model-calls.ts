import type { z } from 'zod';
import type { askedModelCallSchema, ModelCall } from '../../../schema/model-call.ts';
import { messageText, OWN_WORDS, speakerOf } from '../../../schema/request-words.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { ModelCallName } from '../model-call-name.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';
import { oneLine, printable, table } from '../terminal.ts';

type AskedCall = z.infer<typeof askedModelCallSchema>;

interface ModelCallOptions extends CommonOptions {
  readonly turn: number;
  readonly call?: ModelCallName;
}

/** Lists what models were asked in a turn, or shows one call with its request and answer. */
export async function modelCalls(prefix: string, options: ModelCallOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { turn, call } = options;
  const goalId = await findGoalId(session, prefix);
  const path = `/v1/goals/${goalId}/turns/${turn}/model-calls`;
  if (call === undefined) {
    const found = await session.client.get<{ items: ModelCall[] }>(path);
    print(session, found, () =>
      found.items.length === 0
        ? `no model was asked in turn ${turn}`
        : table([HEADS, ...found.items.map(cells)]),
    );
    return EXIT.complete;
  }
  const one = `${path}/${call.kind}/${call.step}/${call.attempt}`;
  const asked = await session.client.get<AskedCall>(one);
  print(session, asked, () => callText(asked));
  return EXIT.complete;
}

const HEADS = ['call', 'at', 'model', 'state', 'in', 'cached', 'out', 'cost', 'trouble'];

const cells = (call: ModelCall): string[] => [
  `${call.kind}.${call.step}.${call.attempt}`,
  call.startedAt.slice(11, 19),
  call.model,
  call.state,
  ...[call.inputTokens, call.cachedInputTokens, call.outputTokens].map(String),
  `$${call.costUsd}`,
  oneLine(call.trouble ?? '', 80),
];

function callText({ call, request, answer }: AskedCall): string {
  const asked =
    request === null
      ? ['(its request is not kept)']
      : [
          titled('system', request.system),
          titled('tools', request.tools.map(({ name }) => name).join(', ')),
          ...request.messages.map((message) =>
            titled(
              message.of === 'own' ? OWN_WORDS[call.kind] : speakerOf(message),
              messageText(message),
            ),
          ),
        ];
  const answered =
    answer === null
      ? [titled('no answer', call.trouble ?? call.state)]
      : [
          titled('answer', answer.text),
          ...answer.calls.map(({ callId, tool, input }) => titled(`${tool} ${callId}`, input)),
        ];
  return printable([...asked, ...answered].join('\n\n'));
}

const titled = (title: string, text: string): string => `== ${title}\n${text}`;
