import type { ModelCall } from '../../../schema/model-call.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { ModelCallName } from '../model-call-name.ts';
import { type CommonOptions, findGoalId, openSession, print } from '../session.ts';
import { oneLine, table } from '../terminal.ts';
import { readTurn } from '../turn/read-turn.ts';
import { type AskedCall, sectionsText } from '../turn/request-text.ts';

interface ModelCallOptions extends CommonOptions {
  readonly turn: number;
  readonly call?: ModelCallName;
}

/**
 * Lists what models were asked in a turn, or shows one call with its request and answer.
 * @throws UnknownTurn
 */
export async function modelCalls(prefix: string, options: ModelCallOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { turn, call } = options;
  const goalId = await findGoalId(session, prefix);
  const path = `/v1/goals/${goalId}/turns/${turn}/model-calls`;
  if (call === undefined) {
    const found = await session.client.get<{ items: ModelCall[] }>(path);
    if (found.items.length === 0) await readTurn(session.client, goalId, turn);
    print(session, found, () =>
      found.items.length === 0
        ? `no model was asked in turn ${turn}`
        : table([HEADS, ...found.items.map(cells)]),
    );
    return EXIT.complete;
  }
  const one = `${path}/${call.kind}/${call.step}/${call.attempt}`;
  const asked = await session.client.get<AskedCall>(one);
  print(session, asked, () => sectionsText(asked, 'named'));
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
