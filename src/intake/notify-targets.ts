import type { NotifyTarget } from '../../schema/notify.ts';
import type { AddressRules } from '../contract/addresses.ts';
import { whyRefused } from '../net/target-address.ts';
import { fieldIssue, type Issue, issueIn } from './issue.ts';

/** Checks a URL before its name is resolved; the sender judges the actual address. */
export const targetsIssue = (
  addresses: AddressRules,
  targets: readonly NotifyTarget[],
): Issue | null =>
  issueIn(targets, 'notify', (target, field) => {
    const refusal = whyRefused(target.url, addresses);
    if (refusal !== null) return fieldIssue(`${field}.url`, `${refusal}.`);
    if (targets.find(({ url }) => url === target.url) === target) return null;
    return fieldIssue(`${field}.url`, 'it is named twice.');
  });
