import type { ToolPin } from '../../../schema/tool-pin.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { pinText } from '../pin-text.ts';
import { type CommonOptions, openSession, print, type Session } from '../session.ts';

const PINS = '/v1/tool-pins';

const pinsOf = async ({ client }: Session): Promise<ToolPin[]> =>
  (await client.get<{ items: ToolPin[] }>(PINS)).items;

export async function listPins(
  options: CommonOptions & { readonly all?: boolean },
): Promise<ExitCode> {
  const session = openSession(options);
  const items = await pinsOf(session);
  const shown = options.all === true ? items : items.filter(({ offered }) => offered !== null);
  print(session, shown, () =>
    shown.length === 0
      ? `Nothing waits; ${items.length} tools are as they were.`
      : shown.map(pinText).join('\n\n'),
  );
  return EXIT.complete;
}

/** @throws UsageError where nothing waits */
export async function acceptPin(
  workspace: string,
  tool: string,
  options: CommonOptions & { readonly hash?: string },
): Promise<ExitCode> {
  const session = openSession(options);
  const waiting = (await pinsOf(session)).find(
    (pin) => pin.workspace === workspace && pin.tool === tool,
  );
  const hash = options.hash ?? waiting?.offered?.hash;
  if (hash === undefined) {
    throw new UsageError(
      `Nothing of ${tool} waits in ${workspace}.`,
      'See "goalkeeper pins list".',
    );
  }
  const pin = await session.client.send<ToolPin>('POST', `${PINS}/accept`, {
    workspace,
    tool,
    hash,
  });
  print(session, pin, () => pinText(pin));
  return EXIT.complete;
}

export async function resetPins(
  workspace: string,
  server: string,
  options: CommonOptions,
): Promise<ExitCode> {
  const session = openSession(options);
  const body = { workspace, server };
  const answer = await session.client.send<{ removed: number }>('POST', `${PINS}/reset`, body);
  print(session, answer, () => `${answer.removed} tools of ${server} are trusted anew.`);
  return EXIT.complete;
}
