export const goalTabs = ['overview', 'changes', 'gate', 'proof', 'history', 'ledger'] as const;

export type GoalTab = (typeof goalTabs)[number];

/** What its address may name. */
export const goalViews = [...goalTabs, 'compare'] as const;

/** What a goal's page shows: a tab, one of its turns, or two of them side by side. */
export type GoalView = (typeof goalViews)[number] | 'turn';
