import { z } from 'zod';
import { momentSchema } from '../../schema/moment.ts';
import { eventNameSchema } from '../../schema/trigger.ts';
import { whyNotKept } from '../secrets/masked-places.ts';
import { defineTool, refused } from './results.ts';
import type { ToolResult } from './tool.ts';

const KINDS = ['command', 'file', 'url', 'event', 'until'] as const;

const schema = z
  .strictObject({
    command: z.string().min(1).max(20_000).optional().describe('Until it exits 0'),
    file: z.string().min(1).max(4096).optional().describe('Until this path exists'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('Until it answers 2xx'),
    event: eventNameSchema
      .optional()
      .describe('Until a delivery from outside brings this event, such as the result of a CI run'),
    match: z
      .array(z.strictObject({ name: z.string().min(1).max(60), value: z.string().max(1000) }))
      .min(1)
      .max(10)
      .optional()
      .describe('Only an event with these values, such as name "branch" and value "main"'),
    until: momentSchema.optional().describe('A time, ISO 8601'),
    timeoutSeconds: z.number().optional().describe('How long at most; four hours unless told'),
  })
  .refine(
    (args) => KINDS.filter((kind) => args[kind] !== undefined).length === 1,
    `name exactly one of ${KINDS.join(', ')}`,
  )
  .refine((args) => args.match === undefined || args.event !== undefined, {
    path: ['match'],
    message: 'belongs to an event',
  });

type Arguments = z.infer<typeof schema>;

export const waitForTool = defineTool<Arguments>({
  name: 'wait_for',
  description:
    'Ends the turn. The host looks by itself, again and again, and wakes you when the command ' +
    'exits 0, the file exists, the URL answers 2xx, the event came or the time has come; or when ' +
    'the timeout is over. Events that came since this turn began count. The waiting costs nothing. The command should only look: it runs many times.',
  effect: 'read',
  endsTurn: true,
  modes: ['agent'],
  schema,
  run: async (args, { mask }) => {
    const reason = whyNotKept(args, mask);
    return reason === null ? setUp(args) : refused(reason);
  },
});

const setUp = (args: Arguments): ToolResult => ({
  outcome: 'succeeded',
  text: 'The wait is being set up.',
  receipt: {},
  end: {
    kind: 'election',
    on: args.until === undefined ? 'condition' : 'timer',
    seconds: args.timeoutSeconds ?? null,
    until: args.until ?? null,
    text: wordsFor(args),
  },
});

function wordsFor({ command, file, url, event, match, until }: Arguments): string {
  if (command !== undefined) return `until \`${command}\` exits 0`;
  if (file !== undefined) return `until ${file} exists`;
  if (event !== undefined) return `until the event ${event}${valuesOf(match)} comes`;
  return url === undefined ? `until ${until}` : `until ${url} answers`;
}

const valuesOf = (match: Arguments['match']): string =>
  match === undefined
    ? ''
    : ` with ${match.map(({ name, value }) => `${name} ${value}`).join(', ')}`;
