import { z } from 'zod';
import { scopeGlobSchema } from '../../schema/scope.ts';
import type { ProposedScope, ScopeGround, ScopePreview } from '../contract/scope-proposal.ts';
import { isCovered, plainGlobs } from '../proof/scope/widen-scope.ts';
import { whyNotKept } from '../secrets/masked-places.ts';
import { defineTool, refused, succeeded } from './results.ts';
import type { ToolContext, ToolResult } from './tool.ts';

const schema = z.strictObject({
  paths: z
    .array(scopeGlobSchema)
    .min(1)
    .max(20)
    .describe('Files or globs, as narrow as the work allows, such as "docs/api.md" or "test/**"'),
  why: z.string().trim().min(1).max(2000).describe('Why the objective needs them, for the person'),
});

type Arguments = z.infer<typeof schema>;

export const proposeScopeTool = defineTool<Arguments>({
  name: 'propose_scope',
  description:
    'Asks a person to count more files as work of this goal, where the objective needs changes ' +
    'beyond its scope. They see the files and what you changed in them; go on meanwhile.',
  effect: 'read',
  modes: ['agent'],
  isSpeaking: true,
  schema,
  run: propose,
});

async function propose({ paths, why }: Arguments, context: ToolContext): Promise<ToolResult> {
  const { scopes, mask = (text: string) => text } = context;
  const ground = (await scopes?.ground()) ?? 'the scope cannot be widened here';
  if (scopes === undefined || typeof ground === 'string') return refused(String(ground));
  const asked = plainGlobs(paths);
  const change = asked.filter((glob) => !isCovered(ground.scope, glob));
  if (change.length === 0) return succeeded('This is in scope already: nobody has to be asked.');
  const secret = whyNotKept(change, context.mask);
  const reason = secret ?? whyNotAsked(change, ground, context.maxOpenProposals);
  if (reason !== null) return refused(reason);
  const preview = await scopes.preview(change);
  if (preview.count === 0 && preview.left.length > 0) return refused(whyNoEffect(preview));
  const again = declinedIn(preview, ground);
  if (again !== null) return refused(again);
  const proposed: ProposedScope = { change, why: mask(why), preview };
  return { ...succeeded(answerTo(preview)), scopeProposal: proposed };
}

function whyNotAsked(
  change: readonly string[],
  { open, declined }: ScopeGround,
  most: number,
): string | null {
  const isIn = (known: readonly string[]) => change.every((glob) => known.includes(glob));
  if (open.some(isIn)) return 'this was proposed already, and a person has not decided yet';
  const again = change.find((glob) => declined.some((one) => one.change.includes(glob)));
  if (again !== undefined) return `a person declined "${again}"`;
  return open.length >= most
    ? `${open.length} proposals are undecided, and no more than ${most} may be`
    : null;
}

/** Another glob for what was declined, or for more than that, is the same question. */
function declinedIn({ files }: ScopePreview, { declined }: ScopeGround): string | null {
  const before = declined.find(
    (one) => one.files.length > 0 && one.files.every((path) => files.includes(path)),
  );
  return before === undefined
    ? null
    : `it takes in what a person declined: ${named(before.files)}; ask for less`;
}

const named = (files: readonly string[]): string => files.slice(0, 5).join(', ');

const whyNoEffect = ({ left }: ScopePreview): string =>
  `${named(left)} would stay the judge's: the scope keeps them, or they judge by their names, ` +
  'which only a glob that says so takes in; propose these paths themselves';

function answerTo({ count, changed, files, left }: ScopePreview): string {
  const what =
    count === 0
      ? 'No file is there yet that would newly count.'
      : `It would take in ${count} files (${changed} changed): ${named(files)}.`;
  const not = left.length === 0 ? '' : ` It would not take in ${named(left)}.`;
  return `Put to a person, who decides. ${what}${not} Go on meanwhile: until then they prove nothing.`;
}
