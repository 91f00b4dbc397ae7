export const PAGE_KINDS = ['page', 'legal'] as const
export type PageKind = (typeof PAGE_KINDS)[number]
