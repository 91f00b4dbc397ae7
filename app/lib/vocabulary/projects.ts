/** Changes of a published project that are not published yet. */
export const PROJECT_CHANGES = ['draft', 'in_review'] as const

export const PROJECT_STATUSES = ['draft', 'in_review', 'scheduled', 'published', 'archived'] as const
export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

/** public: everyone; members: its members; hidden: its administrators; link: anyone with the address, but not listed. */
export const VISIBILITIES = ['public', 'members', 'hidden', 'link'] as const
export type Visibility = (typeof VISIBILITIES)[number]
