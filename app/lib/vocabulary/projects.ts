/** Changes of a published project that are not published yet. */
export const PROJECT_CHANGES = ['draft', 'in_review'] as const

export const PROJECT_STATUSES = ['draft', 'in_review', 'scheduled', 'published', 'archived'] as const
export type ProjectStatus = (typeof PROJECT_STATUSES)[number]

/** public: everyone; members: its members; hidden: its administrators; link: anyone with the address, but not listed. */
export const VISIBILITIES = ['public', 'members', 'hidden', 'link'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/** What a duplicate of a project can bring along, beside its texts and its picture. */
export const COPIED_PARTS = ['stages', 'activities', 'surveys', 'budgets', 'dates', 'documents', 'faqs', 'team'] as const
export type CopiedPart = (typeof COPIED_PARTS)[number]
/** All but the team: other people may lead the next one, and their names and addresses are published. */
export const USUALLY_COPIED_PARTS: readonly CopiedPart[] = COPIED_PARTS.filter((part) => part !== 'team')

/** Consultations to start a project from. */
export const PROJECT_TEMPLATES = ['street', 'plan', 'budget', 'service'] as const
export type ProjectTemplate = (typeof PROJECT_TEMPLATES)[number]
