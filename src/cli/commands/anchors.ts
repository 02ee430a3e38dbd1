import type { Anchor, AnchorState, AnchorVerdict } from '../../../schema/anchor.ts';
import { fileOf } from '../../anchors/targets.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { type CommonOptions, openSession, print } from '../session.ts';

export async function anchors(options: CommonOptions): Promise<ExitCode> {
  const session = openSession(options);
  const state = await session.client.get<AnchorState>('/v1/anchors');
  print(session, state, () => stateText(state));
  return EXIT.complete;
}

export interface VerifyOptions extends CommonOptions {
  readonly anchor?: readonly string[];
}

/** Anchors that are named are read here, so that whoever checks need not trust the service's copy. */
export async function verifyAnchors(options: VerifyOptions): Promise<ExitCode> {
  const session = openSession(options);
  const { anchor: places = [] } = options;
  const given = places.length === 0 ? {} : { anchors: await readAll(places) };
  const verdict = await session.client.send<AnchorVerdict>('POST', '/v1/anchors/verify', given);
  print(session, verdict, () => verdictText(verdict));
  if (verdict.holds) return EXIT.complete;
  return verdict.faults.every(({ fault }) => fault === 'key') ? EXIT.usage : EXIT.incomplete;
}

async function readAll(places: readonly string[]): Promise<Anchor[]> {
  const found: Anchor[] = [];
  for (const place of places) {
    const { read } = fileOf(place.includes(':') ? place : `file:${place}`) ?? { read: null };
    if (read === null)
      throw new UsageError(
        `${place} can't be read.`,
        'Name a file or git:/path/to/repository#ref.',
      );
    const { anchors, damaged } = await read().catch((error: Error) => {
      throw new UsageError(`${place}: ${error.message}`, 'Name a place that keeps anchors.');
    });
    if (damaged.length > 0)
      throw new UsageError(
        `${place} holds no anchor in line ${damaged.join(', ')}.`,
        'Find out who changed it, and take those lines out of a copy.',
      );
    if (anchors.length === 0)
      throw new UsageError(`${place} keeps no anchor.`, 'Name another one.');
    found.push(...anchors);
  }
  return found;
}

function stateText({ head, targets }: AnchorState): string {
  if (targets.length === 0) return 'no place is configured: set GOALKEEPER_ANCHORS';
  const newest = head === null ? 'no head yet' : `head ${head.size} of ${head.at}, ${head.root}`;
  const lines = targets.map(({ target, size, waiting, error }) => {
    const late = waiting === 0 ? '' : `; ${waiting} wait: ${error ?? 'soon'}`;
    return `${target}: ${size === null ? 'none yet' : `has ${size}`}${late}`;
  });
  return [newest, ...lines].join('\n');
}

function verdictText({ holds, anchors: count, at, faults, wayOut }: AnchorVerdict): string {
  if (holds && count === 0) return 'there is no anchor to compare with';
  if (holds) return `the database continues all ${count} anchors, the newest of ${at}`;
  return [...faults.map(({ problem }) => problem), wayOut].join('\n');
}
