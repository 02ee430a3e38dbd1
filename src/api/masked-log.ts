import type { SecurityLogPort } from '../contract/security-log.ts';
import type { Masker } from '../secrets/masker.ts';

/** Entries tell of paths, where people paste a token in the place of its name; they stay for good. */
export const maskedLog = (log: SecurityLogPort, mask: Masker): SecurityLogPort => ({
  ...log,
  add: ({ subject, data, ...entry }) =>
    log.add({
      ...entry,
      subject: subject === null ? null : mask.text(subject),
      data: mask.value(data),
    }),
});
