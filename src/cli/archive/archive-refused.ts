const waysOut = {
  no_archive: 'Name a file that "goalkeeper export" wrote.',
  too_new: 'Read it with that version of Goalkeeper, or a newer one.',
  cut_off: 'Get the file again: its end is missing.',
  altered: 'Do not rely on it, and get the file again.',
  ledger_chain: 'Do not rely on it: ask the one who exported it.',
} as const;

export type ArchiveFault = keyof typeof waysOut;

/** Why a file is read as no archive. */
export class ArchiveRefused extends Error {
  readonly code: ArchiveFault;
  readonly wayOut: string;

  constructor(code: ArchiveFault, problem: string) {
    super(problem);
    this.name = 'ArchiveRefused';
    this.code = code;
    this.wayOut = waysOut[code];
  }
}
