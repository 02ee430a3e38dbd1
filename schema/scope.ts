import { z } from 'zod';
import { inForms } from './forms.ts';
import { pathGlobSchema } from './glob.ts';
import { inFormat, textSchema } from './text.ts';

/** What people can't see, or take for a plain space. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** A glob of a scope lies in the workspace: nothing else is delivered, so nothing else can count. */
export const scopeGlobSchema = pathGlobSchema.check(inFormat('scope-glob', scopeProblem));

function scopeProblem(glob: string): string | null {
  if (/^(\/|(\.\/)*\.\.(\/|$))/.test(glob)) return 'a scope lies in the workspace';
  if (!UNSEEN.test(glob)) return null;
  return 'a glob has no invisible characters and no spaces but plain ones; ? stands for one';
}

/** What git is given as the name of a commit: never an option, and nothing that hides from people. */
const commitSchema = textSchema(250).check(
  inFormat('commit', (name) =>
    /^[^-\p{Cc}\p{Cf}\p{Zl}\p{Zp}][^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u.test(name)
      ? null
      : 'a commit, a branch or a tag; no leading hyphen and no invisible characters',
  ),
);

/** Which files a goal may change as its work; everything else is the judge's. */
const scopeFields = z.strictObject({
  change: z
    .array(scopeGlobSchema)
    .min(1)
    .max(100)
    .describe(
      'Globs of the files that are the work. Tests, configuration and the like count only where a glob names them, such as "test/**"; "src/**" names none of them. Absent: the host infers them.',
    )
    .optional(),
  keep: z
    .array(scopeGlobSchema)
    .max(100)
    .describe('Globs of files that stay as they are, though `change` covers them')
    .optional(),
  base: commitSchema
    .describe(
      'The commit that the work is measured against: an id, a branch, a tag, or "merge-base:main". What was changed since counts as the work of this goal. Absent: the files at the start.',
    )
    .optional(),
});

export const scopeInputSchema = inForms(
  inForms(scopeFields, [{ has: ['change'] }, { has: ['base'] }], {
    path: ['change'],
    message: 'name the files of the work, or a base',
  }),
  [{ has: ['change'] }, { lacks: ['keep'] }],
  { path: ['keep'], message: 'it says what `change` leaves out: name both' },
);

/** A scope as it is stored and shown. */
export const scopeSchema = z.strictObject({
  /** Globs of what the goal may change; none where nothing could be inferred. */
  change: z.array(z.string()),
  /** Globs of what stays the judge's within `change`. */
  keep: z.array(z.string()),
  /** The host infers a scope where the caller gives none; a person may have widened either. */
  setBy: z.enum(['caller', 'host', 'person']),
  /** The id of a commit; null: the tree at the goal's start. */
  base: z.string().nullable(),
  /** How the caller named that commit. */
  baseName: z.string().optional(),
  /** Why each glob is there, in plain words; without any glob, why nothing could be inferred. */
  why: z.array(z.strictObject({ glob: z.string(), reason: z.string() })),
});

/** What a caller should know of the level that a goal can reach. */
export const scopeNoticeSchema = z.strictObject({
  code: z.enum([
    'nothing_inferred',
    'matches_nothing',
    'matches_everything',
    'names_judges',
    'no_commit',
    'submodules',
    'lfs_pointers',
    'ignored_file',
    'left_out',
    'unread',
    'no_proof',
    'not_seen',
  ]),
  /** The most that can be reached. */
  level: z.enum(['verified', 'supported']),
  text: z.string(),
});

/** What would install packages for proofs. */
export const setupLookSchema = z.strictObject({
  /** The package manager, or `declared`. */
  tool: z.string(),
  /** Null where the caller declared it. */
  lock: z.string().nullable(),
  /** Null where the lock file is not used. */
  command: z.string().nullable(),
  /**
   * `lent`: packages of the workspace are used, as long as they stay as they are. `kept`: it ran
   * before for the same inputs. `runs`: it runs before the first check. `open`: whether it ran
   * before shows as the goal begins. `unused`: nothing comes of the lock file.
   */
  state: z.enum(['lent', 'kept', 'runs', 'open', 'unused']),
  /** Why the lock file is not used, and the way out. */
  why: z.string().nullable(),
  /** May the goal add packages of a registry? What it adds otherwise is a question to a person. */
  additions: z.enum(['allowed', 'asked']),
});

/** A workspace as a goal would begin in it. */
export const scopeLookSchema = z.strictObject({
  /** Null where there is none, as the notices say. */
  scope: scopeSchema.nullable(),
  /** Files in scope at present, and all that git does not ignore. */
  files: z.int(),
  total: z.int(),
  notices: z.array(scopeNoticeSchema),
  setups: z.array(setupLookSchema),
});

export type ScopeNotice = z.infer<typeof scopeNoticeSchema>;
export type SetupLook = z.infer<typeof setupLookSchema>;
export type ScopeLook = z.infer<typeof scopeLookSchema>;
/** The base as the start resolved it, and how it was named. */
export type StoredScope = ScopeInput & Pick<Scope, 'baseName'>;
export type Scope = z.infer<typeof scopeSchema>;
export type ScopeInput = z.infer<typeof scopeInputSchema>;
