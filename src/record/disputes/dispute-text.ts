/** The host's message to the model about a dispute that is over. */
export function disputeNotice(
  state: 'insisted' | 'amended',
  criterionId: string,
  note: string | null,
): string {
  if (state === 'amended') {
    return `A person amended the criteria because you disputed ${criterionId}. The goal block shows them.`;
  }
  const words = note === null || note.trim() === '' ? '' : ` Their words: ${note}`;
  return `A person saw your dispute of ${criterionId} and insists on it as it is: meet it. The same counter-example is not taken again.${words}`;
}
