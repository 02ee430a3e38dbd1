import { useQuery } from '@tanstack/react-query';
import { approvalQuery } from '../../../api/inbox.ts';
import type { Approval } from '../../../api/types.ts';
import { decidedText } from '../../../view/inbox-text.ts';

/** What was decided of it meanwhile, and by whom; null = it is open. */
export function useDecided({ goalId, approvalId }: Approval): string | null {
  const { data } = useQuery(approvalQuery(goalId, approvalId));
  return data == null || data.state === 'open' ? null : decidedText(data);
}
