import { shownPath } from '../workspace/shown-path.ts';

/** Why a bundle is refused, and what a reader does about it. */
const waysOut = {
  unreadable: 'Get the file again from the one who exported it: it is not as it was written.',
  key_unknown:
    'Get the key from the installation by another way than the file ("goalkeeper proof key > FILE") and give it as --key FILE.',
  signature: 'Do not rely on it: get the file again, and the key from its installation.',
  composition: 'Get the file again: statements were taken out, added or moved.',
  ledger_chain: 'Do not rely on it: ask the one who exported it.',
  inconsistent: 'Do not rely on it: it does not show what it claims.',
  not_verified: 'See the level and the approvals in it; the host did not prove the work.',
  base_missing: 'Give the repository that the work was done in as --repo, with its history.',
  base_differs: 'Give the repository that the work was done in as --repo.',
  workspace_differs: 'Check out the state that was proven, without other changes, and try again.',
  rerun_incomplete: 'Give a checkout that has these files, such as the original workspace.',
  rerun_failed: 'Look at the output; what the checks need must be installed in the checkout.',
} as const;

export type RefusalCode = keyof typeof waysOut;

export class BundleRefused extends Error {
  readonly code: RefusalCode;
  readonly wayOut: string;

  constructor(code: RefusalCode, problem: string) {
    super(problem);
    this.name = 'BundleRefused';
    this.code = code;
    this.wayOut = waysOut[code];
  }
}

/** Most names in a sentence. */
const SHOWN = 10;

export function listed(names: readonly string[]): string {
  const rest = names.length - SHOWN;
  const shown = names.slice(0, SHOWN).map((name) => shownPath(name));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
