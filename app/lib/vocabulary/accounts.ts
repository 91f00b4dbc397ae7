export const GROUP_KINDS = ['group', 'tag'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]
