import { z } from 'zod';
import { visibleLine } from '../record/foreign-text.ts';

/** What people are told, whatever it is sent by. All of its texts may hold foreign words. */
export interface Notice {
  readonly notificationId: string;
  readonly goalId: string;
  readonly at: string;
  /** The service's own words. */
  readonly title: string;
  readonly objective: string;
  /** Why it waits, what was asked, or what came of it. */
  readonly texts: readonly string[];
  readonly approvals: readonly AskedInNotice[];
  /** The console's page of the goal; null = nobody said where the console is. */
  readonly page: string | null;
}

export interface AskedInNotice {
  readonly question: string;
  /** The page that decides; null = this target has no such links, or the approval none. */
  readonly link: string | null;
}

const approvalSchema = z.object({
  approvalId: z.string(),
  kind: z.string(),
  question: z.string(),
  /** Absent where an earlier version wrote the notice. */
  asked: z.string().optional(),
});

export type ToldApproval = z.infer<typeof approvalSchema>;

/** The body of a webhook, as the outbox holds it. */
const bodySchema = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.object({
    goalId: z.string(),
    objective: z.string(),
    reason: z.string().optional(),
    message: z.string().optional(),
    question: z
      .object({ text: z.string(), options: z.array(z.string()).nullable().optional() })
      .optional(),
    approvals: z.array(approvalSchema).optional(),
    completion: z.object({ result: z.string(), verification: z.string() }).optional(),
  }),
});

const TITLES: Readonly<Record<string, string>> = {
  'goal.question': 'A goal asks you',
  'goal.approval': 'A goal waits for an approval',
  'goal.blocked': 'A goal is blocked',
  'goal.paused': 'A goal is paused',
  'goal.budget_limited': 'A goal has reached a limit',
  'goal.complete': 'A goal is complete',
};

export interface NoticeGround {
  readonly notificationId: string;
  readonly publicUrl: string | null;
  readonly linkFor: (goalId: string, approval: ToldApproval) => string | null;
}

/** @returns null for a body that is none of a notification */
export function noticeOf(
  body: string,
  { notificationId, publicUrl, linkFor }: NoticeGround,
): Notice | null {
  const parsed = bodySchema.safeParse(JSON.parse(body));
  if (!parsed.success) return null;
  const { type, timestamp, data } = parsed.data;
  const { goalId, objective, message, question, completion, approvals = [] } = data;
  const options = question?.options ?? [];
  const texts = [
    question === undefined ? (message ?? '') : question.text,
    ...(options.length === 0
      ? []
      : [options.map((one, index) => `${index + 1}. ${one}`).join('\n')]),
    ...(completion === undefined ? [] : [`${completion.verification}: ${completion.result}`]),
  ];
  return {
    ...{ notificationId, goalId, at: timestamp },
    title: TITLES[type] ?? 'A goal tells something',
    objective: visibleLine(objective),
    // What is asked stands there already.
    texts: approvals.length > 0 ? [] : texts.filter((text) => text !== ''),
    approvals: approvals.map((one) => ({ question: one.question, link: linkFor(goalId, one) })),
    page: publicUrl === null ? null : `${publicUrl}/goals/${encodeURIComponent(goalId)}`,
  };
}
