export const goalTabs = ['overview', 'gate', 'history', 'ledger'] as const;

export type GoalTab = (typeof goalTabs)[number];
