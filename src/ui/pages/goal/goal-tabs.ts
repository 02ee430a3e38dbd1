export const goalTabs = ['overview', 'changes', 'gate', 'history', 'ledger'] as const;

export type GoalTab = (typeof goalTabs)[number];

/** What a goal's page shows: a tab, or one of its turns. */
export type GoalView = GoalTab | 'turn';
